import { type ConformanceResult, interfaceKey } from "./result.ts";

/**
 * Groups failures with one cause. It compares rules, breach codes, requests, responses and exchanges, never the
 * sentences, which may differ or match by chance.
 */
export function byCause(
  failures: readonly ConformanceResult[],
  signsOf: (failure: ConformanceResult) => string[] = allSignsOf,
): ConformanceResult[][] {
  const leaders = failures.map((_, index) => index);
  const leaderOf = (index: number): number => {
    let leader = index;
    while (leaders[leader] !== leader) leader = leaders[leader]!;
    return leader;
  };
  const first = new Map<string, number>();
  for (const [index, failure] of failures.entries())
    for (const key of signsOf(failure)) {
      const known = first.get(key);
      if (known === undefined) first.set(key, index);
      else leaders[leaderOf(index)] = leaderOf(known);
    }
  const groups = new Map<number, ConformanceResult[]>();
  for (const [index, failure] of failures.entries()) {
    const leader = leaderOf(index);
    const same = groups.get(leader);
    if (same) same.push(failure);
    else groups.set(leader, [failure]);
  }
  return [...groups.values()];
}

/** Returns the signs of a common cause. One shared sign is enough. */
function allSignsOf(failure: ConformanceResult): string[] {
  const { code = "broken", evidence } = failure;
  return [
    ...signsInAnswers(failure),
    // The same kind of breach in the same exchange. A plain breach is different for each rule.
    ...(code !== "broken" && evidence[0] !== undefined ? [sign("exchange", code, evidence[0])] : []),
  ];
}

/** Returns the signs in the responses only: one exchange, such as that of the card, may cause several warnings. */
export function signsInAnswers(failure: ConformanceResult): string[] {
  const { test, code = "broken", operation, answer, sent, want, interface: on } = failure;
  const isUnknown = isAnsweredAsUnknown(failure);
  return [
    // The same rule, broken in the same way on another binding.
    sign("rule", test, code, isUnknown),
    // The same request with the same response and the same requirement. `sent` does not include gRPC metadata.
    ...(sent !== undefined && on?.binding !== "GRPC" && (answer !== undefined || code !== "broken")
      ? [sign("request", interfaceKey(on), operation, impersonal(sent), answer, code, want)]
      : []),
    // The common cause is one method table, or one handler that crashes.
    ...(isUnknown ? [sign("unknown", interfaceKey(on))] : []),
    // The common cause is one place that maps errors. Operations that reject a request alike share it.
    ...(isWrongError(failure) ? [sign("error", interfaceKey(on), code, answer, want)] : []),
    ...(operation !== undefined && breakdowns.has(answer) && !ofEveryAnswer.has(test)
      ? [sign("breakdown", operation, answer)]
      : []),
    // The common cause is one server that answers in place of the handlers behind it.
    ...(isUndressed(failure) ? [sign("undressed", interfaceKey(on), answer)] : []),
  ];
}

const sign = (...parts: readonly (string | boolean | undefined)[]): string => JSON.stringify(parts);

/** The responses of each binding to an unknown operation. HTTP 404 can also mean an unknown task. */
const unknown: ReadonlySet<string | undefined> = new Set(["-32601", "UNIMPLEMENTED", "HTTP 405", "HTTP 501"]);

/** Codes of an error that the agent returned where the specification names another one. */
const wrongErrors: ReadonlySet<string | undefined> = new Set([
  "other-error",
  "internal-error-number",
  "operation-unsupported",
]);

/** Returns true if an error differs from the one that `want` names. */
export const isWrongError = ({ operation, answer, code, want }: ConformanceResult): boolean =>
  operation !== undefined && answer !== undefined && want !== undefined && wrongErrors.has(code);

/** The responses of each binding to a crash, or an unreadable response. */
const breakdowns: ReadonlySet<string | undefined> = new Set([
  "-32603",
  "HTTP 500",
  "INTERNAL",
  "UNKNOWN",
  "DATA_LOSS",
  "unreadable",
  "none",
]);

/** Rules about every response: an agent breaks them whether the operation succeeds or crashes. */
const ofEveryAnswer: ReadonlySet<string> = new Set(["JSONRPC-004"]);

/** Returns true if an error came as a plain HTTP error, not in the binding's error format. */
export const isUndressed = ({ operation, answer = "" }: ConformanceResult): boolean =>
  operation !== undefined && /^HTTP [45]\d\d, unreadable$/.test(answer);

export const isAnsweredAsUnknown = ({ operation, answer }: ConformanceResult): boolean =>
  operation !== undefined && unknown.has(answer);

/** Removes ids that are new in every request. */
const impersonal = (text: string): string =>
  text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "…").replace(/"id":\s*(\d+|"…")/g, '"id":…');
