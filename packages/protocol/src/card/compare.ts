import type { AgentCard, AgentCardSignature, AgentSkill } from "../generated/model.ts";
import { isObject, type JsonObject } from "../json.ts";
import {
  type Aspect,
  type CardChangeCode,
  type ClientChange,
  type ComparedCard,
  change,
  changeEffects,
  everyone,
  readers,
  sameJson,
} from "./client-change.ts";
import { type CardFinding, quote } from "./finding.ts";
import { interfaceChanges } from "./interface-changes.ts";
import { lintCard } from "./lint.ts";
import { loginChanges, securityChanges } from "./login-changes.ts";
import { normaliseCard } from "./normalise.ts";
import { readSignatureEntry } from "./protected-header.ts";

/** The differences of two cards, or the reason why one of them cannot be read. */
export type CardComparison =
  | { readonly is: "compared"; readonly changes: readonly ClientChange[] }
  | { readonly is: "unreadable"; readonly which: "old" | "new"; readonly because: string };

/**
 * Compares two cards of any dialect by meaning: the order of members, skills and modes does not matter, nor the place
 * where a dialect writes a fact. Worst changes first.
 */
export function compareCards(before: unknown, after: unknown): CardComparison {
  const [old, next] = [readSide(before), readSide(after)];
  for (const [which, side] of [["old", old] as const, ["new", next] as const])
    if ("because" in side) return { is: "unreadable", which, because: side.because };
  const sides = { old: old as ComparedCard, next: next as ComparedCard };
  const changes = aspects.flatMap((aspect) => [...aspect(sides.old, sides.next)]);
  const rank = ({ effect }: ClientChange): number => changeEffects.indexOf(effect);
  return { is: "compared", changes: changes.toSorted((a, b) => rank(a) - rank(b)) };
}

function readSide(json: unknown): ComparedCard | { readonly because: string } {
  const { card, interfaces, findings } = normaliseCard(json);
  // Many documents have a name, such as an error or a package. They offer nothing that a client could lose, so a
  // comparison would find no breaking change.
  const isNamed = isObject(json) && typeof json["name"] === "string";
  const offers = isObject(json) && (Array.isArray(json["skills"]) || isObject(json["capabilities"]));
  const isCard = interfaces.length > 0 || (isNamed && offers);
  if (!isCard || !card) return { because: firstFault(json, findings) };
  return { json: json as JsonObject, card, interfaces };
}

function firstFault(json: unknown, findings: readonly CardFinding[]): string {
  const fault = [...findings, ...lintCard(json)].find(({ level }) => level === "error");
  return fault ? `${fault.path}: ${fault.message}` : "it is not a card of any version that Assay knows";
}

function* skillChanges({ card: old }: ComparedCard, { card: next }: ComparedCard): Iterable<ClientChange> {
  const path = "$.skills";
  const [before, after] = [byId(old.skills ?? []), byId(next.skills ?? [])];
  const added = [...after.values()].filter(({ id }) => !before.has(id));
  for (const skill of before.values()) {
    const now = after.get(skill.id);
    if (now) {
      yield* skillTextChange(skill, now);
      yield* skillModeChanges(skill, now, old, next);
      yield* loginChanges(`$.skills (${skill.id})`, `the skill ${quote(skill.id)}`, [skill, old], [now, next]);
      continue;
    }
    const twin = added.findIndex(({ name, description }) => name === skill.name || description === skill.description);
    const affects = `clients and registries that select the skill ${quote(skill.id)}`;
    if (twin < 0) yield change("skill-removed", path, `The skill ${quote(skill.id)} is gone.`, affects);
    else {
      const [renamed] = added.splice(twin, 1);
      const message = `The skill ${quote(skill.id)} (${quote(skill.name)}) has the new id ${quote(renamed!.id)}.`;
      yield change("skill-id-changed", path, message, affects);
    }
  }
  for (const { id } of added) yield change("skill-added", path, `The skill ${quote(id)} is new.`, everyone);
}

const byId = (skills: readonly AgentSkill[]): ReadonlyMap<string, AgentSkill> =>
  new Map(skills.map((skill) => [skill.id, skill]));

function* skillTextChange(old: AgentSkill, next: AgentSkill): Iterable<ClientChange> {
  const changed = (["name", "description", "tags", "examples"] as const).filter(
    (member) => textOf(old[member]) !== textOf(next[member]),
  );
  if (changed.length)
    yield change(
      "skill-text-changed",
      `$.skills (${old.id})`,
      `The skill ${quote(old.id)} has another ${changed.join(", ")}.`,
      readers,
    );
}

/** The order of tags and examples has no meaning. */
const textOf = (value: string | readonly string[] | undefined): string =>
  JSON.stringify(typeof value === "string" ? value : [...(value ?? [])].sort());

const modeMembers = [
  { own: "inputModes", shared: "defaultInputModes", dropped: "input-mode-dropped", affects: "clients that send" },
  { own: "outputModes", shared: "defaultOutputModes", dropped: "output-mode-dropped", affects: "clients that need" },
] as const;

function* modeChanges({ card: old }: ComparedCard, { card: next }: ComparedCard): Iterable<ClientChange> {
  for (const { shared, dropped, affects } of modeMembers)
    yield* modesBetween(`$.${shared}`, "The agent", old[shared] ?? [], next[shared] ?? [], dropped, affects);
}

/** A skill without modes of its own has those of the card, whose changes are reported once for all skills. */
function* skillModeChanges(
  old: AgentSkill,
  next: AgentSkill,
  oldCard: AgentCard,
  nextCard: AgentCard,
): Iterable<ClientChange> {
  for (const { own, shared, dropped, affects } of modeMembers) {
    if (!old[own]?.length && !next[own]?.length) continue;
    const [before, after] = [modesOf(old[own], oldCard[shared]), modesOf(next[own], nextCard[shared])];
    yield* modesBetween(`$.skills (${old.id}).${own}`, `The skill ${quote(old.id)}`, before, after, dropped, affects);
  }
}

const modesOf = (own: readonly string[] | undefined, shared: readonly string[] | undefined): readonly string[] =>
  own?.length ? own : (shared ?? []);

function* modesBetween(
  path: string,
  who: string,
  before: readonly string[],
  after: readonly string[],
  dropped: CardChangeCode,
  affects: string,
): Iterable<ClientChange> {
  // An empty list of modes states nothing, so no mode counts as dropped or added.
  const gone = after.length ? before.filter((mode) => !after.some((each) => isCovered(mode, each))) : [];
  const added = before.length ? after.filter((mode) => !before.some((each) => isCovered(mode, each))) : [];
  const direction = dropped === "input-mode-dropped" ? "accepts" : "produces";
  for (const mode of gone)
    yield change(dropped, path, `${who} no longer ${direction} ${quote(mode)}.`, `${affects} ${quote(mode)}`);
  for (const mode of added) yield change("mode-added", path, `${who} ${direction} ${quote(mode)}, too.`, everyone);
}

/** Media types have no case, and a card may list ranges such as `text/*`. */
function isCovered(mode: string, by: string): boolean {
  const [one, other] = [mode.toLowerCase(), by.toLowerCase()];
  return (
    one === other || other === "*/*" || other === "*" || (other.endsWith("/*") && one.startsWith(other.slice(0, -1)))
  );
}

const flags = {
  streaming: "clients that stream",
  pushNotifications: "clients that register webhooks",
  extendedAgentCard: "clients that read the extended card",
} as const;

function* capabilityChanges({ card: old }: ComparedCard, { card: next }: ComparedCard): Iterable<ClientChange> {
  for (const [name, affects] of Object.entries(flags) as [keyof typeof flags, string][]) {
    const [had, has] = [old.capabilities?.[name] === true, next.capabilities?.[name] === true];
    const path = `$.capabilities.${name}`;
    if (had && !has) yield change("capability-dropped", path, `The agent no longer declares ${name}.`, affects);
    if (!had && has) yield change("capability-added", path, `The agent declares ${name}.`, everyone);
  }
}

function* extensionChanges({ card: old }: ComparedCard, { card: next }: ComparedCard): Iterable<ClientChange> {
  const path = "$.capabilities.extensions";
  const of = ({ capabilities }: AgentCard) =>
    new Map((capabilities?.extensions ?? []).map((extension) => [extension.uri ?? "", extension]));
  const [before, after] = [of(old), of(next)];
  for (const [uri, { required = false, params }] of before) {
    const now = after.get(uri);
    const users = `clients that use the extension ${quote(uri)}`;
    if (!now) yield change("extension-removed", path, `The extension ${quote(uri)} is gone.`, users);
    else if (sameJson(params ?? {}, now.params ?? {})) {
      if (required && !now.required)
        yield change("extension-optional", path, `The extension ${quote(uri)} is optional now.`, everyone);
    } else yield change("extension-params-changed", path, `The extension ${quote(uri)} has other parameters.`, users);
  }
  for (const [uri, { required }] of after) {
    if (required && !before.get(uri)?.required)
      yield change(
        "extension-required",
        path,
        `The agent requires the extension ${quote(uri)}.`,
        "clients without this extension",
      );
    else if (!before.has(uri))
      yield change("extension-added", path, `The agent offers the extension ${quote(uri)}.`, everyone);
  }
}

function* signatureChanges(old: ComparedCard, next: ComparedCard): Iterable<ClientChange> {
  const path = "$.signatures";
  const [before, after] = [old.card.signatures ?? [], next.card.signatures ?? []];
  if (before.length && !after.length)
    yield change(
      "signature-lost",
      path,
      "The card is no longer signed.",
      "clients and registries that require a signature",
    );
  if (!before.length && after.length) yield change("signature-added", path, "The card is signed.", everyone);
  const [keys, now] = [keysOf(before), keysOf(after)];
  if (before.length && after.length && !keys.some((key) => now.includes(key)))
    yield change(
      "signing-key-changed",
      path,
      `No key that signed the old card signed the new one: ${keys.join(", ") || "none"} before, ${now.join(", ") || "none"} now.`,
      "clients and registries that know only the old key",
    );
}

/** Returns the keys that the signatures name. It does not verify them. */
const keysOf = (signatures: readonly AgentCardSignature[]): string[] =>
  signatures.flatMap((signature) => {
    const entry = readSignatureEntry(signature);
    return entry.is === "readable" ? [`${quote(entry.header.kid)} (${quote(entry.header.alg)})`] : [];
  });

const texts = ["description", "version", "documentationUrl", "iconUrl"] as const;

function* identityChanges({ card: old }: ComparedCard, { card: next }: ComparedCard): Iterable<ClientChange> {
  if (old.name !== next.name)
    yield change(
      "name-changed",
      "$.name",
      `The name was ${quote(old.name)} and is now ${quote(next.name)}.`,
      "clients and registries that find the agent by its name",
    );
  const [before, after] = [old.provider?.organization, next.provider?.organization];
  if (before !== after)
    yield change(
      "provider-changed",
      "$.provider.organization",
      `The provider was ${before === undefined ? "not named" : quote(before)} and is now ${after === undefined ? "not named" : quote(after)}.`,
      "clients and registries that trust agents by their provider",
    );
  const [page, now] = [old.provider?.url ?? "", next.provider?.url ?? ""];
  if (before === after && page !== now)
    yield change(
      "provider-changed",
      "$.provider.url",
      `The address of the provider was ${quote(page)} and is now ${quote(now)}.`,
      "clients and registries that trust agents by their provider",
    );
  for (const member of texts)
    if ((old[member] ?? "") !== (next[member] ?? ""))
      yield change("text-changed", `$.${member}`, `The card has another ${member}.`, readers);
}

/** Members of any version that the other aspects compare. */
const known = new Set(
  (
    "name description version documentationUrl iconUrl provider supportedInterfaces url preferredTransport additionalInterfaces " +
    "protocolVersion capabilities supportsAuthenticatedExtendedCard securitySchemes securityRequirements security " +
    "authentication defaultInputModes defaultOutputModes skills signatures"
  ).split(" "),
);

function* unknownMemberChanges({ json: old }: ComparedCard, { json: next }: ComparedCard): Iterable<ClientChange> {
  for (const member of new Set([...Object.keys(old), ...Object.keys(next)])) {
    // Readers of cards accept snake_case, too.
    const written = member.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (known.has(written) || sameJson(old[member] ?? null, next[member] ?? null)) continue;
    const verb = !Object.hasOwn(old, member) ? "is new" : Object.hasOwn(next, member) ? "is different" : "is gone";
    yield change(
      "unknown-member-changed",
      "$",
      `The member ${quote(member)}, which A2A does not define, ${verb}.`,
      "clients that know this member",
    );
  }
}

const aspects: readonly Aspect[] = [
  interfaceChanges,
  skillChanges,
  modeChanges,
  securityChanges,
  capabilityChanges,
  extensionChanges,
  signatureChanges,
  identityChanges,
  unknownMemberChanges,
];
