import { isDeepStrictEqual } from "node:util";
import {
  type DialectVersion,
  dialects,
  guessedVersion,
  isObject,
  type JsonObject,
  type NormalisedCard,
  nearest,
  normaliseCard,
} from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import {
  type FoundCard,
  fetchCard,
  type HttpClient,
  isOlderCard,
  isUndated,
  meantByOlderCard,
  type PeerInterface,
  type ProbedDialect,
  type ProbedDialects,
  probeEveryDialect,
} from "@assay/wire";
import { type AgentFacts, factsOf, speakableIn } from "../../card/agent-facts.ts";
import type { FetchedCard } from "../../define/check.ts";
import type { LeftOut } from "../../report/events.ts";
import { everySkill } from "../../stimuli/parts.ts";
import { boundCredentials } from "../credentials.ts";
import type { TestOptions } from "../options.ts";
import { chooseInterfaces, unspeakable } from "./choose-interfaces.ts";

/** The part of an agent that is tested in one protocol version. */
export interface VersionUnderTest {
  readonly dialect: DialectVersion;
  /** how Assay knows that the agent speaks it */
  readonly because: string;
  /** the card or the user declares it; an undeclared version cannot fail */
  readonly declared: boolean;
  readonly interfaces: readonly PeerInterface[];
  readonly facts: AgentFacts;
  /** the card for clients of that version, if there is one */
  readonly card: FetchedCard | undefined;
}

export interface VersionsUnderTest {
  /** newest first */
  readonly versions: readonly VersionUnderTest[];
  readonly leftOut: readonly LeftOut[];
  /** those that may not receive credentials */
  readonly keptFrom: readonly LeftOut[];
  /** addresses that accepted the version probe as a message */
  readonly acceptedAt: readonly string[];
}

/** A version with its interfaces, before the cards are fetched. */
interface Spoken {
  readonly because: string;
  readonly declared: boolean;
  readonly interfaces: PeerInterface[];
}

/** Finds the versions of an agent: those its card declares, and those its endpoint also serves. */
export async function versionsUnderTest(
  http: HttpClient,
  { found, given }: { readonly found: FoundCard; readonly given: boolean },
  options: TestOptions,
  mayAsk = true,
): Promise<VersionsUnderTest> {
  const asks = mayAsk && options.depth !== "card" && options.budget !== 0;
  const acceptedAt = new Set<string>();
  const probed = new Map<string, Promise<ProbedDialects>>();
  const probe: Probe = async (url) => {
    const asked = probed.get(url) ?? probeEveryDialect(http, url, options.headers, options.signal);
    probed.set(url, asked);
    const { found: spoken, accepted } = await asked;
    if (accepted) acceptedAt.add(url);
    return spoken;
  };
  const forOlder = await olderCards(http, found, options);
  const declared = await declaredIn(found, asks ? probe : undefined);
  for (const card of forOlder)
    if (!isDeepStrictEqual(card.json, found.json)) merge(declared, await declaredIn(card, asks ? probe : undefined));
  if (asks && normaliseCard(found.json).interfaces.length === 0)
    for (const [dialect, entry] of await atGivenAddress(found, options, probe)) declared.set(dialect, entry);
  const answered = asks ? await answeredBy([...declared.values()], options, probe) : [];
  const spoken = new Map(declared);
  for (const [dialect, entry] of answered) if (!spoken.has(dialect)) spoken.set(dialect, entry);
  addWished(spoken, options);

  const all = [...spoken.values()].flatMap(({ interfaces }) => interfaces);
  const { tested, leftOut, keptFrom } = chooseInterfaces(
    all,
    options,
    options.depth === "card" ? undefined : boundCredentials(options),
  );
  const inOrder = dialects.toReversed().filter((dialect) => tested.some((on) => on.dialect === dialect));
  if (all.length && !tested.length && !keptFrom.length) throw nothingChosen(leftOut);
  // A card without a usable address is still judged.
  const judged = inOrder.length ? inOrder : (options.dialects ?? [shapedFor(found)]);
  const versions: VersionUnderTest[] = [];
  for (const dialect of judged) {
    const { because, declared: isDeclared } = spoken.get(dialect) ?? {
      because: formOf(found, dialect),
      declared: true,
    };
    const interfaces = tested.filter((on) => on.dialect === dialect);
    const seen = cardFor(dialect, found, forOlder);
    const facts = factsOf(seen?.json ?? found.json, seen?.url ?? found.url, interfaces, dialect);
    const { production = false, expectations = {} } = options;
    const card = seen && isDeclared ? { ...seen, facts, given, production, expectations } : undefined;
    versions.push({ dialect, because, declared: isDeclared, interfaces, facts, card });
  }
  assertSkills(options.skills ?? [], versions);
  return {
    versions,
    keptFrom,
    leftOut: [...leftOut, ...unspeakable(normaliseCard(found.json).interfaces)],
    acceptedAt: [...acceptedAt],
  };
}

/** Throws for a skill that the card does not have. */
function assertSkills(chosen: readonly string[], versions: readonly VersionUnderTest[]): void {
  const offered = [...new Set(versions.flatMap(({ facts }) => facts.skills.map(({ id }) => id)))];
  const skill = chosen.find((id) => id !== everySkill && !offered.includes(id));
  if (skill === undefined) return;
  const near = nearest(skill, offered);
  throw new UsageError(
    `--skill ${skill}: the card has no skill of that name.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    `The card has: ${offered.slice(0, 20).join(", ") || "none"}`,
  );
}

/** The operator's choice excludes every interface. */
function nothingChosen(leftOut: readonly LeftOut[]): UsageError {
  const offered = leftOut.map(({ interface: { binding, dialect } }) => `${binding} ${dialect}`);
  return new UsageError(
    `--binding and --dialect exclude every interface: the card offers ${[...new Set(offered)].join(", ")}`,
    "Omit them to test every interface. assay card <url> lists the interfaces.",
  );
}

/** Asks an endpoint for its versions, once. */
type Probe = (url: string) => Promise<readonly ProbedDialect[]>;

async function declaredIn({ json, url }: FoundCard, probe: Probe | undefined): Promise<Map<DialectVersion, Spoken>> {
  const normal = normaliseCard(json);
  const { interfaces, dialects: evidence } = normal;
  const reasons = new Map(evidence.map(({ dialect, because }) => [dialect, because]));
  const [first] = speakableIn(interfaces, url);
  // A card without a version: asking is better than guessing.
  const probed = probe && first ? await probedBy(probe, json, normal, first) : undefined;
  const spoken = probed ?? (first && evidence.includes(guessedVersion) ? unknownVersion : undefined);
  if (spoken) reasons.set(spoken.dialect, spoken.because);
  const meant = interfaces.map((on) =>
    spoken && on.dialect === first?.dialect ? { ...on, dialect: spoken.dialect } : on,
  );
  const found = new Map<DialectVersion, Spoken>();
  for (const on of speakableIn(meant, url)) {
    const known = found.get(on.dialect);
    if (known) known.interfaces.push(on);
    else found.set(on.dialect, { because: reasons.get(on.dialect) ?? "its card", declared: true, interfaces: [on] });
  }
  return found;
}

/** Judges a card without a version by the version that requires least, so that no version accuses it wrongly. */
const unknownVersion: ProbedDialect = {
  dialect: "0.1",
  because:
    "unknown: neither the card nor the endpoint tells the version, so Assay judges the card by 0.1, which requires least",
};

/** For a card without an address, asks for versions at the address that the operator gave. */
async function atGivenAddress(
  { json, url: cardUrl }: FoundCard,
  { url: given }: TestOptions,
  probe: Probe,
): Promise<[DialectVersion, Spoken][]> {
  const addresses = new Set([given, cardUrl.replace(/\/\.well-known\/[^/]*$/, "") || given]);
  for (const address of addresses) {
    if (address === cardUrl) continue;
    const answered = await probe(address);
    const spoken = isOlderCard({ json, url: cardUrl })
      ? meantByOlderCard(answered, normaliseCard(json).dialects)
      : answered[0];
    if (!spoken) continue;
    const because = `${spoken.because}; the card has no address, so Assay sends requests to ${address}`;
    const interfaces: PeerInterface[] = [{ url: address, binding: "JSONRPC", dialect: spoken.dialect }];
    return [[spoken.dialect, { because, declared: true, interfaces }]];
  }
  return [];
}

/** Finds the version of an agent whose card does not declare it. */
async function probedBy(
  probe: Probe,
  card: JsonObject,
  { interfaces, dialects: evidence }: NormalisedCard,
  { url, binding, dialect }: PeerInterface,
): Promise<ProbedDialect | undefined> {
  if (isUndated(card, interfaces)) return meantByOlderCard(await probe(url), evidence);
  if (dialect !== "0.3" || binding !== "JSONRPC" || isOf03(card)) return undefined;
  // Cards of 0.2.4 look like those of 0.3 without a version; one method tells them apart.
  const answered = await probe(url);
  return answered.find((each) => each.dialect === "0.2");
}

/** Returns true if the card declares 0.3 or has members that are new in 0.3. */
const isOf03 = (card: JsonObject): boolean =>
  ["protocolVersion", "signatures", "supportedInterfaces"].some((member) => card[member] !== undefined) ||
  (Array.isArray(card["skills"]) && card["skills"].some((skill) => isObject(skill) && skill["security"] !== undefined));

async function answeredBy(
  declared: readonly Spoken[],
  options: TestOptions,
  probe: Probe,
): Promise<[DialectVersion, Spoken][]> {
  if (options.bindings && !options.bindings.includes("JSONRPC")) return [];
  // Asks only the interfaces that are tested anyway: the first of each version.
  const over = declared.flatMap(({ interfaces }) => interfaces.find(({ binding }) => binding === "JSONRPC") ?? []);
  const urls = [...new Set(over.map(({ url }) => url))];
  const known = new Set(declared.flatMap(({ interfaces }) => interfaces.map(({ dialect }) => dialect)));
  const found: [DialectVersion, Spoken][] = [];
  for (const url of urls) {
    for (const { dialect, because } of await probe(url)) {
      // 0.2 and 0.3 look the same on the wire, so an agent that declares one of them answers to both.
      const alike = dialect === "0.2" || dialect === "0.3" ? (["0.2", "0.3"] as const) : [dialect];
      if (alike.some((version) => known.has(version))) continue;
      known.add(dialect);
      found.push([dialect, { because, declared: false, interfaces: [{ url, binding: "JSONRPC", dialect }] }]);
    }
  }
  return found;
}

/** Adds the versions that the user names, even if the card does not declare them. */
function addWished(spoken: Map<DialectVersion, Spoken>, { dialects: wished = [] }: TestOptions): void {
  const over = [...spoken.values()].flatMap(({ interfaces }) => interfaces);
  const url = over.find(({ binding }) => binding === "JSONRPC")?.url;
  for (const dialect of wished) {
    const known = spoken.get(dialect);
    if (known) spoken.set(dialect, { ...known, declared: true });
    else if (url !== undefined)
      spoken.set(dialect, {
        because: "set by --dialect",
        declared: true,
        interfaces: [{ url, binding: "JSONRPC", dialect }],
      });
  }
}

/** Returns the version whose form a card has, even without an address. */
const shapedFor = (found: FoundCard): DialectVersion =>
  evidenceOf(found)[0]?.dialect ?? (isOlderCard(found) ? unknownVersion.dialect : "1.0");

/** Explains the version of a card without an address. */
const formOf = (found: FoundCard, dialect: DialectVersion): string =>
  evidenceOf(found).find((each) => each.dialect === dialect)?.because ?? "the form of its card";

/** Returns what the card says about its version, or "unknown" for a guess. */
const evidenceOf = ({ json }: FoundCard) =>
  normaliseCard(json).dialects.map((each) => (each === guessedVersion ? unknownVersion : each));

const newName = /\/agent-card\.json$/;

/**
 * Fetches the card as older clients do. Clients before 1.0 send no version, and those before 0.3 use another path. An
 * agent may have a different card for each version.
 */
async function olderCards(
  http: HttpClient,
  found: FoundCard,
  { headers = [], signal, dialects: wished }: TestOptions,
): Promise<FoundCard[]> {
  if (wished?.every((dialect) => dialect === "1.0")) return [];
  const places = new Set([found.url, found.url.replace(newName, "/agent.json")]);
  const cards: FoundCard[] = [];
  for (const url of places) {
    const { exchange, json } = await fetchCard(http, url, headers, signal);
    if (json) cards.push({ url, json, exchange });
  }
  return cards;
}

/** Adds the versions before 1.0 from a card for older clients, with the addresses that it names. */
function merge(declared: Map<DialectVersion, Spoken>, older: ReadonlyMap<DialectVersion, Spoken>): void {
  for (const [dialect, spoken] of older) {
    const known = declared.get(dialect);
    if (dialect === "1.0") continue;
    if (!known) declared.set(dialect, spoken);
    else {
      const rest = known.interfaces.filter((one) => !spoken.interfaces.some((other) => isSame(one, other)));
      declared.set(dialect, { ...known, interfaces: [...spoken.interfaces, ...rest] });
    }
  }
}

const isSame = (one: PeerInterface, other: PeerInterface): boolean =>
  one.url === other.url && one.binding === other.binding && one.tenant === other.tenant;

/** Returns the card for clients of a version, if there is one. */
function cardFor(dialect: DialectVersion, found: FoundCard, forOlder: readonly FoundCard[]): FoundCard | undefined {
  if (dialect === "1.0") return found;
  const places = dialect === "0.3" ? forOlder : forOlder.toReversed();
  const theirs = places.filter(({ json }) => !isNewOnly(json));
  const dated = theirs.find(({ json }) => normaliseCard(json).dialects.some((each) => each.dialect === dialect));
  // A card that is not of 1.0 is a card for older clients.
  return dated ?? theirs[0] ?? (isNewOnly(found.json) ? undefined : found);
}

/** Returns true for a card that lists interfaces as 1.0 does and has no members for older clients. */
const isNewOnly = (card: Record<string, unknown>): boolean =>
  typeof card["url"] !== "string" && [card["supportedInterfaces"], card["supported_interfaces"]].some(isFilled);

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
