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

/** What is tested of an agent in one version of the protocol. */
export interface VersionUnderTest {
  readonly dialect: DialectVersion;
  /** how we know that the agent speaks it */
  readonly because: string;
  /** its card says so, or the user does: what is answered to without a word about it cannot fail */
  readonly declared: boolean;
  readonly interfaces: readonly PeerInterface[];
  readonly facts: AgentFacts;
  /** the card as clients of that version get it; absent where there is none for them */
  readonly card: FetchedCard | undefined;
}

export interface VersionsUnderTest {
  /** the newest first */
  readonly versions: readonly VersionUnderTest[];
  readonly leftOut: readonly LeftOut[];
  /** those of them that credentials may not be shown to */
  readonly keptFrom: readonly LeftOut[];
  /** addresses where asking for versions was taken for a message */
  readonly acceptedAt: readonly string[];
}

/** A version with the interfaces that speak it, as far as it is known before the cards are fetched. */
interface Spoken {
  readonly because: string;
  readonly declared: boolean;
  readonly interfaces: PeerInterface[];
}

/** Which versions an agent speaks: those its card declares, and those its endpoint answers to all the same. */
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
  // An agent whose card names no way to reach it is judged by its card all the same.
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

/** Refuses a skill that the card does not have. */
function assertSkills(chosen: readonly string[], versions: readonly VersionUnderTest[]): void {
  const offered = [...new Set(versions.flatMap(({ facts }) => facts.skills.map(({ id }) => id)))];
  const skill = chosen.find((id) => id !== everySkill && !offered.includes(id));
  if (skill === undefined) return;
  const near = nearest(skill, offered);
  throw new UsageError(
    `--skill ${skill}: the card has no such skill.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    `The card has: ${offered.slice(0, 20).join(", ") || "none"}`,
  );
}

/** The operator's choice leaves nothing to test. */
function nothingChosen(leftOut: readonly LeftOut[]): UsageError {
  const offered = leftOut.map(({ interface: { binding, dialect } }) => `${binding} ${dialect}`);
  return new UsageError(
    `--binding and --dialect leave nothing to test: the card offers ${[...new Set(offered)].join(", ")}`,
    "Leave them out to test every interface there is; assay card <url> lists them.",
  );
}

/** Asks an endpoint for its versions, once. */
type Probe = (url: string) => Promise<readonly ProbedDialect[]>;

async function declaredIn({ json, url }: FoundCard, probe: Probe | undefined): Promise<Map<DialectVersion, Spoken>> {
  const normal = normaliseCard(json);
  const { interfaces, dialects: evidence } = normal;
  const reasons = new Map(evidence.map(({ dialect, because }) => [dialect, because]));
  const [first] = speakableIn(interfaces, url);
  // What a card without a version speaks is better asked than guessed.
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

/** A card that does not tell its version is judged by the version that asks least, so that no version accuses it wrongly. */
const unknownVersion: ProbedDialect = {
  dialect: "0.1",
  because:
    "unknown: neither the card nor the endpoint tells the version, so the card is judged by 0.1, which asks least",
};

/** A card that names no address: the agent is asked at the address that the operator gave, which then tells the version. */
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
    const because = `${spoken.because}; the card names no address, so Assay asks at ${address}`;
    const interfaces: PeerInterface[] = [{ url: address, binding: "JSONRPC", dialect: spoken.dialect }];
    return [[spoken.dialect, { because, declared: true, interfaces }]];
  }
  return [];
}

/** What an agent lets show of its version, where its card leaves it open. */
async function probedBy(
  probe: Probe,
  card: JsonObject,
  { interfaces, dialects: evidence }: NormalisedCard,
  { url, binding, dialect }: PeerInterface,
): Promise<ProbedDialect | undefined> {
  if (isUndated(card, interfaces)) return meantByOlderCard(await probe(url), evidence);
  if (dialect !== "0.3" || binding !== "JSONRPC" || isOf03(card)) return undefined;
  // Cards of 0.2.4 look like those of 0.3 in which the version was forgotten; one method tells them apart.
  const answered = await probe(url);
  return answered.find((each) => each.dialect === "0.2");
}

/** Says so, or has what no card had before. */
const isOf03 = (card: JsonObject): boolean =>
  ["protocolVersion", "signatures", "supportedInterfaces"].some((member) => card[member] !== undefined) ||
  (Array.isArray(card["skills"]) && card["skills"].some((skill) => isObject(skill) && skill["security"] !== undefined));

async function answeredBy(
  declared: readonly Spoken[],
  options: TestOptions,
  probe: Probe,
): Promise<[DialectVersion, Spoken][]> {
  if (options.bindings && !options.bindings.includes("JSONRPC")) return [];
  // Only those that are tested anyway: the first of each version.
  const over = declared.flatMap(({ interfaces }) => interfaces.find(({ binding }) => binding === "JSONRPC") ?? []);
  const urls = [...new Set(over.map(({ url }) => url))];
  const known = new Set(declared.flatMap(({ interfaces }) => interfaces.map(({ dialect }) => dialect)));
  const found: [DialectVersion, Spoken][] = [];
  for (const url of urls) {
    for (const { dialect, because } of await probe(url)) {
      // On the wire 0.2 and 0.3 look alike: an agent that declares one of them answers to both.
      const alike = dialect === "0.2" || dialect === "0.3" ? (["0.2", "0.3"] as const) : [dialect];
      if (alike.some((version) => known.has(version))) continue;
      known.add(dialect);
      found.push([dialect, { because, declared: false, interfaces: [{ url, binding: "JSONRPC", dialect }] }]);
    }
  }
  return found;
}

/** A version that the user names is tested, whatever the card says. */
function addWished(spoken: Map<DialectVersion, Spoken>, { dialects: wished = [] }: TestOptions): void {
  const over = [...spoken.values()].flatMap(({ interfaces }) => interfaces);
  const url = over.find(({ binding }) => binding === "JSONRPC")?.url;
  for (const dialect of wished) {
    const known = spoken.get(dialect);
    if (known) spoken.set(dialect, { ...known, declared: true });
    else if (url !== undefined)
      spoken.set(dialect, {
        because: "asked for by --dialect",
        declared: true,
        interfaces: [{ url, binding: "JSONRPC", dialect }],
      });
  }
}

/** The version whose form a card has; one that has lost its address may still say which. */
const shapedFor = (found: FoundCard): DialectVersion =>
  evidenceOf(found)[0]?.dialect ?? (isOlderCard(found) ? unknownVersion.dialect : "1.0");

/** How it is known of which version a card is that names no address. */
const formOf = (found: FoundCard, dialect: DialectVersion): string =>
  evidenceOf(found).find((each) => each.dialect === dialect)?.because ?? "the form of its card";

/** What a card tells of its version; what could only be guessed is unknown. */
const evidenceOf = ({ json }: FoundCard) =>
  normaliseCard(json).dialects.map((each) => (each === guessedVersion ? unknownVersion : each));

const newName = /\/agent-card\.json$/;

/**
 * The cards as older clients ask for them: those of before 1.0 name no version, and those of before 0.3 look elsewhere.
 * An agent that speaks several versions may have another card for each, and tell us of some of them only there.
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

/** What a card for older clients says of versions before 1.0; where it names other addresses, those are what they use. */
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

/** The card that clients of a version get, if it is one for them. */
function cardFor(dialect: DialectVersion, found: FoundCard, forOlder: readonly FoundCard[]): FoundCard | undefined {
  if (dialect === "1.0") return found;
  const places = dialect === "0.3" ? forOlder : forOlder.toReversed();
  const theirs = places.filter(({ json }) => !isNewOnly(json));
  const dated = theirs.find(({ json }) => normaliseCard(json).dialects.some((each) => each.dialect === dialect));
  // What is no card of 1.0 is a card for older clients, whatever it lacks.
  return dated ?? theirs[0] ?? (isNewOnly(found.json) ? undefined : found);
}

/** Lists interfaces as 1.0 does, older ones perhaps among them, and has nothing that older clients could read. */
const isNewOnly = (card: Record<string, unknown>): boolean =>
  typeof card["url"] !== "string" && [card["supportedInterfaces"], card["supported_interfaces"]].some(isFilled);

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
