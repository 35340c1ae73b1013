import { type CardInterface, normaliseCard } from "@assay/protocol";
import { isObject, jsonIn } from "@assay/protocol/json";
import type { ConformanceReport } from "../report/document.ts";
import { resultsOf } from "../report/document.ts";
import type { AgentFound, ExchangeRecorded, RunEvent } from "../report/events.ts";
import { type AnswerShape, type Answers, answersIn, type Fields, splitEventsIn } from "./answers.ts";

/** The properties of an agent that decide if a client works with it, as far as a run shows them. */
export interface AgentTraits {
  /** in the order of the card; declared ones only, unless the card declares no version */
  readonly interfaces: readonly OfferedInterface[];
  /** the card lists an interface of a version that Assay does not know, as 1.1 or 2.0 */
  readonly listsOtherVersion: boolean;
  /** "other" is a path at which clients do not look */
  readonly cardAt: "agent-card.json" | "agent.json" | "other";
  /** the card is below a path, so the agent's address has one */
  readonly belowPath: boolean;
  /** the card has the address of the agent as 0.3 has it */
  readonly hasOlderForm: boolean;
  /** the card names its protocol version */
  readonly namesVersion: boolean;
  readonly streaming: boolean;
  readonly login: Login;
  /** a skill of the card demands a login */
  readonly hasSkillLogin: boolean;
  readonly requiredExtensions: readonly string[];
  /** the shapes of its answers to ordinary messages, by operation; empty if the run saw none */
  readonly answers: Answers;
  /** the interfaces on which it writes one event of a stream over several data lines */
  readonly splitsEvents: readonly string[];
  /** its other behaviour: it asks back, sends files, … */
  readonly also: readonly AnswerShape[];
  /** rules that it breaks in its card or in successful answers to messages */
  readonly broken: readonly BrokenOnPath[];
  /** the interfaces of 1.0 on which it rejects requests without A2A-Version */
  readonly requiresVersion: readonly string[];
  /** it does not reject every malformed request as the specification says, so it may accept some */
  readonly isLenient: boolean;
}

/**
 * The login that the card demands. "bearer": a bearer token suffices. "optional": anonymous callers are allowed, too.
 */
type Login = "none" | "bearer" | "optional" | "other";

export interface OfferedInterface {
  /** as in "1.0 JSONRPC" */
  readonly on: string;
  /** at another scheme, host or port than the card */
  readonly elsewhere: boolean;
  readonly tenant: boolean;
  /** the card lists this version and binding at two addresses, and Assay tests only the first */
  readonly repeated: boolean;
}

interface BrokenOnPath {
  readonly rule: string;
  /** absent for the card */
  readonly operation?: string;
  readonly on?: string;
}

/** Derives the traits of an agent from a test run; nothing if its events have no card. */
export function traitsOf(events: readonly RunEvent[], report: ConformanceReport): AgentTraits | undefined {
  const found = events.find((event): event is AgentFound => event.event === "agent-found");
  if (!found) return undefined;
  const exchanges = events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const card = cardIn(exchanges, found.cardUrl);
  if (!card) return undefined;
  const { answers, also } = answersIn(exchanges);
  return {
    interfaces: offeredIn(found, card),
    listsOtherVersion: normaliseCard(card).interfaces.some(({ dialect, later }) => !dialect || later !== undefined),
    cardAt: cardAt(found.cardUrl),
    belowPath: !/^\/\.well-known\//.test(new URL(found.cardUrl).pathname),
    hasOlderForm: typeof card["url"] === "string",
    namesVersion: "supportedInterfaces" in card || typeof card["protocolVersion"] === "string",
    streaming: found.capabilities.streaming,
    login: loginOf(card),
    hasSkillLogin: hasSkillLogin(card),
    requiredExtensions: requiredIn(card),
    answers,
    splitsEvents: splitEventsIn(exchanges),
    also,
    broken: brokenIn(report, exchanges, found.cardUrl),
    requiresVersion: resultsOf(report).flatMap(({ test, verdict, warning, interface: on }) =>
      test === "VER-008" && verdict === "pass" && !warning && on ? [`${on.dialect} ${on.binding}`] : [],
    ),
    isLenient: resultsOf(report).some(({ test, verdict }) => verdict === "fail" && onMalformed.test(test)),
  };
}

/** Reads the login of a card. Only bearer tokens are measured. */
function loginOf(card: Fields): Login {
  const read = normaliseCard(card).card;
  const isUnread = demandsLogin(card);
  // A card that Assay cannot read, or with members of another version.
  if (!read?.securityRequirements?.length) return isUnread ? "other" : "none";
  const ways = read.securityRequirements.map(({ schemes = {} }) => Object.keys(schemes));
  if (ways.every(({ length }) => length === 0)) return "none";
  if (ways.some(({ length }) => length === 0)) return "optional";
  const isBearer = (name: string): boolean =>
    read.securitySchemes?.[name]?.httpAuthSecurityScheme?.scheme.toLowerCase() === "bearer";
  return ways.some(([name, ...others]) => others.length === 0 && isBearer(name!)) ? "bearer" : "other";
}

/** Cards and skills name their logins alike. */
const demandsLogin = (holder: Fields): boolean =>
  [holder["security"], holder["securityRequirements"]].some((each) => Array.isArray(each) && each.length > 0);

function hasSkillLogin({ skills }: Fields): boolean {
  return Array.isArray(skills) && skills.some((each) => isObject(each) && demandsLogin(each));
}

function cardIn(exchanges: readonly ExchangeRecorded[], url: string): Fields | undefined {
  const read = exchanges.find(({ entry }) => entry.request.url === url && entry.response.status === 200);
  const card = read && jsonIn(read.entry.response.content.text);
  return isObject(card) ? card : undefined;
}

/** Clients look for the card at these names below the address of the agent. */
function cardAt(url: string): AgentTraits["cardAt"] {
  const name = /\/\.well-known\/(agent-card\.json|agent\.json)$/.exec(new URL(url).pathname)?.[1];
  return name === "agent-card.json" || name === "agent.json" ? name : "other";
}

function offeredIn({ interfaces, leftOut, dialects, cardUrl }: AgentFound, card: Fields): OfferedInterface[] {
  const declared = new Set(dialects.filter((each) => each.declared).map(({ dialect }) => dialect));
  const listed = [...interfaces, ...leftOut.map((each) => each.interface)].filter(
    ({ dialect }) => declared.size === 0 || declared.has(dialect),
  );
  const onCard = normaliseCard(card).interfaces;
  const offered = listed.map(({ dialect, binding, url }) => {
    const isSame = (each: CardInterface): boolean => each.dialect === dialect && each.binding === binding;
    const same = onCard.filter(isSame);
    const exact = same.find((each) => each.url === url);
    return {
      on: `${dialect} ${binding}`,
      // gRPC addresses have no scheme, and Assay notes them with one.
      elsewhere: binding !== "GRPC" && originOf(url) !== originOf(cardUrl),
      tenant: (exact ? [exact] : same).some(({ tenant }) => tenant !== undefined),
      repeated: new Set(same.map((each) => addressOf(each.url))).size > 1,
      // Interfaces that Assay does not test come last in the list of the run.
      rank: exact ? onCard.indexOf(exact) : onCard.findIndex(isSame),
    };
  });
  const inOrder = offered.toSorted((a, b) => a.rank - b.rank).map(({ rank: _, ...each }) => each);
  return [...new Map(inOrder.map((each) => [JSON.stringify(each), each])).values()];
}

/** An address with and without a slash at its end, as in http://host and http://host/, is the same one. */
const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

function requiredIn(card: Fields): string[] {
  const { capabilities } = card;
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  return (Array.isArray(extensions) ? extensions : []).flatMap((each) =>
    isObject(each) && each["required"] === true && typeof each["uri"] === "string" ? [each["uri"]] : [],
  );
}

/** Rules about the form of what a client reads: a breach may stop any client, and profiles do not cover it. */
const onPath = /^(CARD|DATA|STREAM|JSONRPC|REST)-|^SEND-0(01|10|11|20)$/;

/** Rules about the rejection of malformed messages and requests. */
const onMalformed = /^(SEND-00[3-7]|JSONRPC-00[6-9])$/;

/** Returns the broken rules whose evidence is the card, or a successful answer to a message. */
function brokenIn(report: ConformanceReport, exchanges: readonly ExchangeRecorded[], cardUrl: string): BrokenOnPath[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return resultsOf(report)
    .filter(({ test, verdict, party }) => verdict === "fail" && party !== "client" && onPath.test(test))
    .flatMap(({ test: rule, evidence }): BrokenOnPath[] => {
      const shown = evidence.flatMap((id) => byId.get(id) ?? []);
      if (shown.some(({ entry }) => entry.request.url === cardUrl)) return [{ rule }];
      const answered = shown.find(({ operation, working, entry }) => working && operation && !isError(entry.response));
      if (!answered) return [];
      const { operation, interface: on } = answered;
      return [{ rule, ...(operation && { operation }), ...(on && { on: `${on.dialect} ${on.binding}` }) }];
    });
}

function isError({ status, content }: ExchangeRecorded["entry"]["response"]): boolean {
  const body = jsonIn(content.text);
  return status >= 400 || (isObject(body) && "error" in body);
}
