import type { AgentCard, NormalisedCard, SecurityScheme } from "@assay/protocol";

/** One property of two agents, and the values they share. */
export interface GroundRow {
  readonly what: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly common: readonly string[];
}

/** The direction of calls: a client of A calls B, or a client of B calls A. */
export type Direction = "a-to-b" | "b-to-a";

/** The comparison of two cards. */
export interface CommonGround {
  readonly rows: readonly GroundRow[];
  /** for example "1.0 over JSONRPC", in A's order of preference */
  readonly interfaces: readonly string[];
  /** reasons why a client of one agent cannot use the other; empty if the cards show none */
  readonly obstacles: Readonly<Record<Direction, readonly string[]>>;
  /** what such a client needs */
  readonly needs: Readonly<Record<Direction, readonly string[]>>;
}

/** A card read in the version that the agent speaks. */
type ReadCard = Pick<NormalisedCard, "card" | "interfaces">;

interface Side {
  readonly interfaces: readonly string[];
  readonly versions: readonly string[];
  readonly bindings: readonly string[];
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skills: readonly string[];
  readonly extensions: readonly string[];
  readonly required: readonly string[];
  readonly logins: readonly string[];
  readonly streaming: boolean;
  readonly push: boolean;
}

/**
 * Compares two agents by their cards. A card lists what an agent serves, not what it speaks as a client. Assuming both
 * are the same is the best guess; the conversation then shows whether it is right.
 */
export function commonGround(cardA: ReadCard, cardB: ReadCard): CommonGround {
  const [a, b] = [sideOf(cardA), sideOf(cardB)];
  const row = (what: string, ofA: readonly string[], ofB: readonly string[]): GroundRow => ({
    what,
    a: ofA,
    b: ofB,
    common: ofA.filter((each) => ofB.includes(each)),
  });
  const interfaces = row("interfaces", a.interfaces, b.interfaces).common;
  return {
    rows: [
      row("versions", a.versions, b.versions),
      row("bindings", a.bindings, b.bindings),
      row("input modes", a.input, b.input),
      row("output modes", a.output, b.output),
      row("skills", a.skills, b.skills),
      row("extensions", a.extensions, b.extensions),
      row("login", a.logins, b.logins),
      row("offers", offersOf(a), offersOf(b)),
    ],
    interfaces,
    obstacles: { "a-to-b": obstacles(a, b, ["A", "B"]), "b-to-a": obstacles(b, a, ["B", "A"]) },
    needs: { "a-to-b": needsOf(b, "B"), "b-to-a": needsOf(a, "A") },
  };
}

const offersOf = ({ streaming, push }: Side): string[] => [
  ...(streaming ? ["streams"] : []),
  ...(push ? ["push"] : []),
];

function sideOf({ card, interfaces }: ReadCard): Side {
  const known = interfaces.flatMap(({ binding, dialect }) => (dialect ? [{ binding, dialect }] : []));
  const extensions = card?.capabilities?.extensions ?? [];
  const uris = (some: typeof extensions): string[] => some.flatMap(({ uri }) => uri ?? []);
  return {
    interfaces: unique(known.map(({ binding, dialect }) => `${dialect} over ${binding}`)),
    versions: unique(known.map(({ dialect }) => dialect)),
    bindings: unique(known.map(({ binding }) => binding)),
    input: card?.defaultInputModes ?? [],
    output: card?.defaultOutputModes ?? [],
    skills: (card?.skills ?? []).map(({ id }) => id),
    extensions: uris(extensions),
    required: uris(extensions.filter(({ required }) => required)),
    logins: loginsOf(card),
    streaming: card?.capabilities?.streaming === true,
    push: card?.capabilities?.pushNotifications === true,
  };
}

/** Returns the schemes of all requirements. Satisfying one requirement is enough. */
function loginsOf(card: AgentCard | undefined): string[] {
  const schemes = card?.securitySchemes ?? {};
  const asked = unique((card?.securityRequirements ?? []).flatMap(({ schemes: names = {} }) => Object.keys(names)));
  return asked.map((name) => `${name}${kindOf(schemes[name])}`);
}

function kindOf(scheme: SecurityScheme | undefined): string {
  const [kind] = Object.keys(scheme ?? {});
  return kind === undefined ? "" : ` (${kind.replace(/SecurityScheme$/, "")})`;
}

function obstacles(from: Side, to: Side, [client, agent]: readonly [string, string]): string[] {
  const shared = from.interfaces.some((each) => to.interfaces.includes(each));
  const unknown = to.required.filter((uri) => !from.extensions.includes(uri));
  return [
    ...(shared
      ? []
      : [
          `no version and binding in common: ${client} has ${from.interfaces.join(", ") || "none"}, ${agent} has ${to.interfaces.join(", ") || "none"}`,
        ]),
    ...unknown.map((uri) => `${agent} requires the extension ${uri}, which ${client} does not declare`),
    ...apart(
      from.output,
      to.input,
      `${agent} does not accept the output of ${client}: ${client} writes ${from.output.join(", ")}, ${agent} accepts ${to.input.join(", ")}`,
    ),
    ...apart(
      to.output,
      from.input,
      `${client} does not accept the output of ${agent}: ${agent} writes ${to.output.join(", ")}, ${client} accepts ${from.input.join(", ")}`,
    ),
  ];
}

/** Returns the sentence if the modes have nothing in common. Wildcards and empty lists match everything. */
function apart(written: readonly string[], read: readonly string[], sentence: string): string[] {
  if (written.length === 0 || read.length === 0) return [];
  return written.some((mode) => read.some((other) => fits(mode, other))) ? [] : [sentence];
}

/** Older agents write "text" for "text/plain". */
function fits(one: string, other: string): boolean {
  const [type = "", subtype = "*"] = one.toLowerCase().split(";", 1)[0]!.split("/");
  const [otherType = "", otherSubtype = "*"] = other.toLowerCase().split(";", 1)[0]!.split("/");
  const same = (x: string, y: string): boolean => x === "*" || y === "*" || x === y;
  return same(type, otherType) && same(subtype, otherSubtype);
}

const needsOf = ({ logins }: Side, agent: string): string[] =>
  logins.length ? [`a caller of ${agent} needs credentials: ${logins.join(" or ")}`] : [];

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
