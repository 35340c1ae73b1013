import { type ConformanceResult, interfaceKey } from "./result.ts";
import { isExamined } from "./verdict.ts";

/**
 * The core lifecycle, and the words it is told in: an agent that breaks a rule of these areas is misunderstood sooner or later.
 * A rule of another area (streaming, push, lists, errors, login) costs an agent no more than the best level.
 */
const core = /^(?:V\d\d-)?(SEND|GET|CANCEL|LIFE|CTX|HIST|INTASK|DATA|LEG|JSONRPC|REST|GRPC)-/;

/**
 * Push notifications and streaming are optional. A rule about one of them costs an agent no more than the best level, also where
 * a binding states it: whether such a rule can be examined often depends on how long a task happens to live.
 */
const isOptional = ({ category, tags = [] }: ConformanceResult): boolean =>
  category === "streaming" || tags.includes("push-notifications");

/** Where each binding says how it tells errors: a rule of these is one of errors, whatever its id. */
const errorSections: readonly string[] = ["9.5", "10.6", "11.6"];

/** What the card says of an address is true: where this fails, another server answers there. */
export const truthful = "CARD-016";

/**
 * The rules that "basic send, and get if it makes tasks, works" rests on. Everything else can be wrong with an agent
 * that is of some use all the same.
 */
const basics: readonly string[] = [truthful, "SEND-001", "GET-001"];

/** Rules that a message of a client rests on: a client that breaks one is not understood by a strict agent. */
const clientCore = /^(?:V\d\d-)?(SEND|DATA|VER|JSONRPC|REST|GRPC|BIND|TEN)-/;

/** What a rule bears, the gravest first: where it is broken, that is what fails. */
export const weights = ["card", "basics", "core", "other"] as const;
export type Weight = (typeof weights)[number];

/** What each result of a run bears. An interface that is not there, while others are, takes nothing down with it. */
export function weigher(results: readonly ConformanceResult[]): (result: ConformanceResult) => Weight {
  const dead = deadInterfaces(results);
  return (result) => {
    const { test, section, interface: on } = result;
    if (basics.includes(test)) return dead.has(interfaceKey(on)) ? "other" : "basics";
    if (/^(?:V\d\d-)?CARD-/.test(test)) return "card";
    return core.test(test) && !errorSections.includes(section) && !isOptional(result) ? "core" : "other";
  };
}

/** The same of a client. */
export const clientWeight = ({ test }: Pick<ConformanceResult, "test">): Weight =>
  clientCore.test(test) ? "core" : "other";

/** Interfaces at which something else answers, while the agent does at others. */
export function deadInterfaces(results: readonly ConformanceResult[]): Set<string> {
  const keyed = results.filter(({ interface: on, disputed }) => on !== undefined && !disputed);
  const dead = new Set(
    keyed
      .filter(({ test, verdict }) => test === truthful && verdict === "fail")
      .map(({ interface: on }) => interfaceKey(on)),
  );
  const isAlive = ({ interface: on, verdict }: ConformanceResult): boolean =>
    isExamined(verdict) && !dead.has(interfaceKey(on));
  return keyed.some(isAlive) ? dead : new Set();
}
