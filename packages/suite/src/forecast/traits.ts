import { isObject, jsonIn } from "@assay/protocol/json";
import type { ConformanceReport } from "../report/document.ts";
import { resultsOf } from "../report/document.ts";
import type { AgentFound, ExchangeRecorded, RunEvent } from "../report/events.ts";
import { type AnswerShape, type Answers, answersIn, type Fields } from "./answers.ts";

/** The properties of an agent that decide if a client works with it, as far as a run shows them. */
export interface AgentTraits {
  /** in the order of the card; declared ones only, unless the card declares no version */
  readonly interfaces: readonly OfferedInterface[];
  /** "other" is a path at which clients do not look */
  readonly cardAt: "agent-card.json" | "agent.json" | "other";
  /** the card is below a path, so the agent's address has one */
  readonly belowPath: boolean;
  /** the card has the address of the agent as 0.3 has it */
  readonly hasOlderForm: boolean;
  /** the card names its protocol version */
  readonly namesVersion: boolean;
  readonly streaming: boolean;
  readonly needsLogin: boolean;
  readonly requiredExtensions: readonly string[];
  /** the shapes of its answers to ordinary messages, by operation; empty if the run saw none */
  readonly answers: Answers;
  /** what it also does: it asks back, sends files, … */
  readonly also: readonly AnswerShape[];
  /** rules that it breaks in its card or in successful answers to messages */
  readonly broken: readonly BrokenOnPath[];
  /** it accepts malformed messages, or rejects them in its own way */
  readonly isLenient: boolean;
}

export interface OfferedInterface {
  /** as in "1.0 JSONRPC" */
  readonly on: string;
  /** at another scheme, host or port than the card */
  readonly elsewhere: boolean;
  readonly tenant: boolean;
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
    cardAt: cardAt(found.cardUrl),
    belowPath: !/^\/\.well-known\//.test(new URL(found.cardUrl).pathname),
    hasOlderForm: typeof card["url"] === "string",
    namesVersion: "supportedInterfaces" in card || typeof card["protocolVersion"] === "string",
    streaming: found.capabilities.streaming,
    needsLogin: isNonEmpty(card["securityRequirements"]) || isNonEmpty(card["security"]),
    requiredExtensions: requiredIn(card),
    answers,
    also,
    broken: brokenIn(report, exchanges, found.cardUrl),
    isLenient: resultsOf(report).some(({ test, verdict }) => verdict === "fail" && /^(SEND|JSONRPC)-/.test(test)),
  };
}

const isNonEmpty = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

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
  const tenants = Array.isArray(card["supportedInterfaces"]) ? card["supportedInterfaces"].filter(isObject) : [];
  const offered = listed.map(({ dialect, binding, url }) => ({
    on: `${dialect} ${binding}`,
    // gRPC addresses have no scheme, and Assay notes them with one.
    elsewhere: binding !== "GRPC" && originOf(url) !== originOf(cardUrl),
    tenant: tenants.some(
      (each) =>
        each["protocolBinding"] === binding &&
        each["protocolVersion"] === dialect &&
        typeof each["tenant"] === "string",
    ),
  }));
  return [...new Map(offered.map((each) => [each.on, each])).values()];
}

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
