import { type DialectVersion, dialects, isObject, normaliseCard } from "@assay/protocol";
import {
  type FoundCard,
  fetchCard,
  type HttpClient,
  isUndated,
  type PeerInterface,
  probeDialect,
  probeEveryDialect,
} from "@assay/wire";
import { type AgentFacts, factsOf, speakableIn } from "../agent-facts.ts";
import type { CardSighting } from "../check.ts";
import type { AgentFound } from "../report/events.ts";
import { chooseInterfaces } from "./choose-interfaces.ts";
import type { TestOptions } from "./options.ts";

/** What is tested of an agent in one version of the protocol. */
export interface Visit {
  readonly dialect: DialectVersion;
  /** how we know that the agent speaks it */
  readonly because: string;
  /** its card says so, or the user does: what is answered to without a word about it fails nobody */
  readonly declared: boolean;
  readonly interfaces: readonly PeerInterface[];
  readonly facts: AgentFacts;
  /** the card as clients of that version get it; absent where there is none for them */
  readonly card: CardSighting | undefined;
}

export interface Visits {
  /** the newest version first */
  readonly visits: readonly Visit[];
  readonly leftOut: AgentFound["leftOut"];
}

/** A version with the interfaces that speak it, as far as it is known before the cards are fetched. */
interface Spoken {
  readonly because: string;
  readonly declared: boolean;
  readonly interfaces: PeerInterface[];
}

/** Which versions an agent speaks: those its card declares, and those its endpoint answers to all the same. */
export async function visitsTo(
  http: HttpClient,
  { found, given }: { readonly found: FoundCard; readonly given: boolean },
  options: TestOptions,
): Promise<Visits> {
  const asks = options.depth !== "card";
  const declared = await declaredIn(http, found, options, asks);
  const answered = asks ? await answeredBy(http, [...declared.values()], options) : [];
  const spoken = new Map(declared);
  for (const [dialect, entry] of answered) if (!spoken.has(dialect)) spoken.set(dialect, entry);
  addWished(spoken, options);

  const all = [...spoken.values()].flatMap(({ interfaces }) => interfaces);
  const { tested, leftOut } = chooseInterfaces(all, options);
  const inOrder = dialects.toReversed().filter((dialect) => tested.some((on) => on.dialect === dialect));
  // An agent whose card names no way to reach it is judged by its card all the same.
  const judged = inOrder.length ? inOrder : all.length ? [] : [shapedFor(found)];
  const visits: Visit[] = [];
  for (const dialect of judged) {
    const { because, declared: isDeclared } = spoken.get(dialect) ?? {
      because: "the form of its card",
      declared: true,
    };
    const interfaces = tested.filter((on) => on.dialect === dialect);
    const seen = await cardFor(dialect, http, found, options, spoken.get("1.0")?.declared ?? false);
    const facts = factsOf(seen?.json ?? found.json, seen?.url ?? found.url, interfaces, dialect);
    const { production = false, expectations = {} } = options;
    const card = seen && isDeclared ? { ...seen, facts, given, production, expectations } : undefined;
    visits.push({ dialect, because, declared: isDeclared, interfaces, facts, card });
  }
  return { visits, leftOut };
}

async function declaredIn(
  http: HttpClient,
  { json }: FoundCard,
  { headers = [] }: TestOptions,
  asks: boolean,
): Promise<Map<DialectVersion, Spoken>> {
  const { interfaces, dialects: evidence } = normaliseCard(json);
  const reasons = new Map(evidence.map(({ dialect, because }) => [dialect, because]));
  let speakable = speakableIn(interfaces);
  const [first] = speakable;
  // What a card without a version speaks is better asked than guessed.
  if (asks && first && isUndated(json, interfaces)) {
    const probed = await probeDialect(http, first.url, headers);
    if (probed) {
      speakable = speakable.map((on) => ({ ...on, dialect: probed.dialect }));
      reasons.set(probed.dialect, probed.because);
    }
  }
  const found = new Map<DialectVersion, Spoken>();
  for (const on of speakable) {
    const known = found.get(on.dialect);
    if (known) known.interfaces.push(on);
    else found.set(on.dialect, { because: reasons.get(on.dialect) ?? "its card", declared: true, interfaces: [on] });
  }
  return found;
}

/** More than these are not asked: an agent with many addresses has many of the same kind. */
const mostAddresses = 2;

async function answeredBy(
  http: HttpClient,
  declared: readonly Spoken[],
  { headers = [], bindings, connection }: TestOptions,
): Promise<[DialectVersion, Spoken][]> {
  if (bindings && !bindings.includes("JSONRPC")) return [];
  const over = declared.flatMap(({ interfaces }) => interfaces).filter(({ binding }) => binding === "JSONRPC");
  const urls = [...new Set(over.map(({ url }) => url))].slice(0, mostAddresses);
  const known = new Set(declared.flatMap(({ interfaces }) => interfaces.map(({ dialect }) => dialect)));
  const found: [DialectVersion, Spoken][] = [];
  for (const url of urls) {
    // Credentials go to the host that the user named.
    const own = connection.guard.trusts(url) ? headers : [];
    for (const { dialect, because } of await probeEveryDialect(http, url, own)) {
      // On the wire 0.2 and 0.3 look alike: who declares one of them answers to both.
      const alike = dialect === "0.2" || dialect === "0.3" ? (["0.2", "0.3"] as const) : [dialect];
      if (alike.some((version) => known.has(version))) continue;
      known.add(dialect);
      found.push([dialect, { because, declared: false, interfaces: [{ url, binding: "JSONRPC", dialect }] }]);
    }
  }
  return found;
}

/** Who names a version wants it tested, whatever the card says. */
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

/** The version whose form a card has. */
const shapedFor = ({ json }: FoundCard): DialectVersion => normaliseCard(json).dialects[0]?.dialect ?? "1.0";

/** The card as clients of a version ask for it: those of before 1.0 name no version, those of before 0.3 look elsewhere. */
async function cardFor(
  dialect: DialectVersion,
  http: HttpClient,
  found: FoundCard,
  { headers = [], signal }: TestOptions,
  alsoNew: boolean,
): Promise<FoundCard | undefined> {
  if (dialect === "1.0") return found;
  const elsewhere = found.url.replace(/\/agent-card\.json$/, "/agent.json");
  const places = dialect === "0.3" ? [found.url] : [...new Set([elsewhere, found.url])];
  for (const url of places) {
    const { exchange, json } = await fetchCard(http, url, headers, signal);
    // Beside 1.0 a card may list the older interface in its own way, and have nothing for older clients.
    if (json && (!alsoNew || typeof json["url"] === "string" || isOlder(json))) return { url, json, exchange };
  }
  return alsoNew ? undefined : found;
}

const isOlder = (card: Record<string, unknown>): boolean =>
  typeof card["protocolVersion"] === "string" && !isObject(card["supportedInterfaces"]);
