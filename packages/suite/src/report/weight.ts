import { type ConformanceResult, interfaceKey } from "./result.ts";
import { isExamined } from "./verdict.ts";

/**
 * The core lifecycle and its data: other parties will misunderstand an agent that breaks a rule here. A rule of
 * another area (streaming, push, lists, errors, login) costs an agent at most the best level.
 */
const core = /^(?:V\d\d-)?(SEND|GET|CANCEL|LIFE|CTX|HIST|INTASK|DATA|LEG|JSONRPC|REST|GRPC)-/;

/**
 * Push notifications and streaming are optional, so a rule about them costs an agent at most the best level. That also
 * holds for rules of a binding, because the lifetime of a task often decides if they can be examined.
 */
const isOptional = ({ category, tags = [] }: ConformanceResult): boolean =>
  category === "streaming" || tags.includes("push-notifications");

/** The sections in which the bindings define errors. Their rules count as rules about errors. */
const errorSections: readonly string[] = ["9.5", "10.6", "11.6"];

/** The rule that the card's addresses are true. If it fails, another server answers there. */
export const truthful = "CARD-016";

/** The rules behind "basic send works, and get if it makes tasks". An agent can be useful even if all others fail. */
const basics: readonly string[] = [truthful, "SEND-001", "GET-001"];

/** Rules that every client message depends on: a strict agent does not understand a client that breaks one. */
const clientCore = /^(?:V\d\d-)?(SEND|DATA|VER|JSONRPC|REST|GRPC|BIND|TEN)-/;

/** The importance of rules, most severe first. */
export const weights = ["card", "basics", "core", "other"] as const;
export type Weight = (typeof weights)[number];

/** Returns the weight of each result. A dead interface does not lower the others while some work. */
export function weigher(results: readonly ConformanceResult[]): (result: ConformanceResult) => Weight {
  const dead = deadInterfaces(results);
  return (result) => {
    const { test, section, interface: on } = result;
    if (basics.includes(test)) return dead.has(interfaceKey(on)) ? "other" : "basics";
    if (/^(?:V\d\d-)?CARD-/.test(test)) return "card";
    return core.test(test) && !errorSections.includes(section) && !isOptional(result) ? "core" : "other";
  };
}

/** Returns the weight for a client. */
export const clientWeight = ({ test }: Pick<ConformanceResult, "test">): Weight =>
  clientCore.test(test) ? "core" : "other";

/** Returns the interfaces at which something else answers, while the agent answers at others. */
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
