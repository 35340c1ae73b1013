import { isObject, type JsonObject } from "../json.ts";
import { type DialectVersion, dialects } from "../versions.ts";
import { quote } from "./finding.ts";
import { entriesIn, objectsIn } from "./members.ts";

/** A dialect the document gives reason to try, and the reason. */
export interface DialectEvidence {
  readonly dialect: DialectVersion;
  readonly because: string;
}

/**
 * `1.0`: lists `supportedInterfaces`. `older`: one `url` at the top. `superset`: both at once, for clients of
 * either age. A document with neither has lost its address: its other members tell of which age it is, and where they
 * do not it is read as a broken 1.0 card, because that is what its author has to mend.
 */
export type CardLayout = "1.0" | "older" | "superset";

export function shapeOf(card: JsonObject): CardLayout {
  const hasUrl = typeof card["url"] === "string";
  const listed = declaredInterfaces(card).length > 0;
  if (hasUrl) return listed ? "superset" : "older";
  if (listed) return "1.0";
  const count = (signs: readonly Sign[]): number => signs.filter((sign) => sign(card)).length;
  return count(olderSigns) > count(newSigns) ? "older" : "1.0";
}

type Sign = (card: JsonObject) => boolean;

/** What only a card of 1.0 has. */
const newSigns: readonly Sign[] = [
  (card) => has("supportedInterfaces", "supported_interfaces")(card),
  (card) => has("securityRequirements")(card),
  (card) => dialectOf(card["protocolVersion"]) === "1.0",
  ({ capabilities }) => isObject(capabilities) && capabilities["extendedAgentCard"] != null,
  ({ securitySchemes }) => schemesIn(securitySchemes).some((scheme) => scheme["type"] == null),
];

/** What 1.0 no longer has. */
const olderSigns: readonly Sign[] = [
  (card) => card["url"] !== undefined,
  (card) => ["0.1", "0.2", "0.3"].includes(dialectOf(card["protocolVersion"]) ?? ""),
  (card) => has("preferredTransport", "additionalInterfaces")(card),
  (card) => has("authentication")(card),
  (card) => has("supportsAuthenticatedExtendedCard")(card),
  ({ capabilities }) => isObject(capabilities) && capabilities["stateTransitionHistory"] != null,
  ({ securitySchemes }) => schemesIn(securitySchemes).some((scheme) => typeof scheme["type"] === "string"),
];

/** Whether a card gives an address as older ones do, and nothing that tells of which version it is. */
export function isSilent(card: JsonObject): boolean {
  const { url: _address, ...rest } = card;
  return shapeOf(card) === "older" && card["protocolVersion"] == null && !olderSigns.some((sign) => sign(rest));
}

/** The list under either of the names ProtoJSON allows. */
export function declaredInterfaces(card: JsonObject): unknown[] {
  const list = card["supportedInterfaces"] ?? card["supported_interfaces"];
  return Array.isArray(list) ? list : [];
}

/** `1.x` is 1.0, `0.3.x` is 0.3, and so on; undefined for a version that was never published. */
export function dialectOf(version: unknown): DialectVersion | undefined {
  // As a number, or with a "v" before it, it is misspelt and says which all the same.
  if (typeof version !== "string" && typeof version !== "number") return undefined;
  const text = String(version).replace(/^v/i, "");
  if (/^1(?:\.|$)/.test(text)) return "1.0";
  return dialects.find((dialect) => text === dialect || text.startsWith(`${dialect}.`));
}

/** What the document itself says, strongest first. A probe on the wire has the last word. */
export function evidenceIn(card: JsonObject): DialectEvidence[] {
  const shape = shapeOf(card);
  const found = [
    ...(shape === "older" ? [] : listedDialects(card)),
    ...(shape === "1.0" ? [] : olderDialects(card, shape)),
  ];
  const best = new Map<DialectVersion, DialectEvidence>();
  for (const evidence of found) if (!best.has(evidence.dialect)) best.set(evidence.dialect, evidence);
  return [...best.values()];
}

function listedDialects(card: JsonObject): DialectEvidence[] {
  return declaredInterfaces(card).flatMap((entry, index) => {
    const version = isObject(entry) ? (entry["protocolVersion"] ?? entry["protocol_version"]) : undefined;
    const place = `supportedInterfaces[${index}]`;
    if (version === undefined) return [{ dialect: "1.0", because: `${place} is 1.0-shaped and names no version` }];
    const dialect = dialectOf(version);
    return dialect ? [{ dialect, because: `${place} says protocolVersion ${quote(version)}` }] : [];
  });
}

function olderDialects(card: JsonObject, shape: CardLayout): DialectEvidence[] {
  const version = card["protocolVersion"];
  const dialect = dialectOf(version);
  const named: DialectEvidence[] = dialect
    ? [{ dialect, because: `protocolVersion ${quote(version)} at the top of its card` }]
    : [];
  if (shape === "superset") {
    const because = "a top-level `url` beside supportedInterfaces, as 0.3 clients expect it";
    return named.length ? named : [{ dialect: "0.3", because }];
  }
  const hinted = hints.filter((hint) => hint.seen(card) && (hint.always || !named.length));
  const evidence = [...named, ...hinted.map(({ dialect, because }) => ({ dialect, because }))];
  return evidence.length ? evidence : [guessedVersion];
}

/** 0.2 and 0.3 look alike on the wire; without any hint the older one promises less. A full card of 0.1 looks the same. */
export const guessedVersion: DialectEvidence = {
  dialect: "0.2",
  because: "an older card with nothing that tells 0.2 from 0.3",
};

interface Hint extends DialectEvidence {
  readonly seen: (card: JsonObject) => boolean;
  /** counts even beside a `protocolVersion` that says otherwise: no older dialect has such a member */
  readonly always?: true;
}

const has =
  (...members: string[]) =>
  (card: JsonObject) =>
    members.some((member) => card[member] != null);

const skillsOf = (card: JsonObject): Record<string, unknown>[] =>
  objectsIn(card["skills"], "$.skills").map(([skill]) => skill);

const schemesIn = (schemes: unknown): Record<string, unknown>[] =>
  entriesIn(schemes, "$.securitySchemes").map(([scheme]) => scheme);

const hasMutualTls = ({ securitySchemes }: JsonObject): boolean =>
  schemesIn(securitySchemes).some((scheme) => scheme["type"] === "mutualTLS");

const hints: readonly Hint[] = [
  { dialect: "0.3", because: "`signatures`, which came with 0.3", seen: has("signatures"), always: true },
  {
    dialect: "0.3",
    because: "a skill with its own `security`, which came with 0.3",
    seen: (card) => skillsOf(card).some((skill) => skill["security"] != null),
    always: true,
  },
  { dialect: "0.3", because: "a mutualTLS scheme, which came with 0.3", seen: hasMutualTls, always: true },
  {
    dialect: "0.3",
    because: "preferredTransport or additionalInterfaces without a version: 0.2.4 or later, probably 0.3",
    seen: has("preferredTransport", "additionalInterfaces"),
  },
  {
    dialect: "0.2",
    because: "securitySchemes or security, and no version",
    seen: has("securitySchemes", "security"),
  },
  { dialect: "0.1", because: "authentication, which later versions have no more", seen: has("authentication") },
  {
    dialect: "0.1",
    because: "no defaultInputModes, which 0.2 requires",
    seen: (card) => card["defaultInputModes"] == null,
  },
  {
    dialect: "0.1",
    because: "a skill without tags, which 0.2 requires",
    seen: (card) => skillsOf(card).some((skill) => skill["tags"] == null),
  },
];
