import { type ConformanceResult, interfaceKey } from "./result.ts";

/**
 * Puts failures together that have one cause. What decides are rules, codes of breaches, requests, answers and exchanges: the
 * sentences that tell of them may differ, or be alike by chance.
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

/** By what a failure is known to have the same cause as another: one of these is enough. */
function allSignsOf(failure: ConformanceResult): string[] {
  const { code = "broken", evidence } = failure;
  return [
    ...signsInAnswers(failure),
    // The same kind of breach in the same exchange; the plain breach of a rule is another one for each rule.
    ...(code !== "broken" && evidence[0] !== undefined ? [sign("exchange", code, evidence[0])] : []),
  ];
}

/** Those that go by how the agent answers: one exchange, such as that of the card, may show several things worth a warning. */
export function signsInAnswers(failure: ConformanceResult): string[] {
  const { test, code = "broken", operation, answer, sent, want, interface: on } = failure;
  const isUnknown = isAnsweredAsUnknown(failure);
  return [
    // The same rule, broken in the same way on another binding.
    sign("rule", test, code, isUnknown),
    // The same request, answered in the same way against the same demand. What goes along with gRPC is not told in `sent`.
    ...(sent !== undefined && on?.binding !== "GRPC" && (answer !== undefined || code !== "broken")
      ? [sign("request", interfaceKey(on), operation, impersonal(sent), answer, code, want)]
      : []),
    // One method table, or one handler that breaks down.
    ...(isUnknown ? [sign("unknown", interfaceKey(on))] : []),
    ...(operation !== undefined && breakdowns.has(answer) ? [sign("breakdown", operation, answer)] : []),
    // One server in front of the handlers, which answers for them in its own way.
    ...(isUndressed(failure) ? [sign("undressed", interfaceKey(on), answer)] : []),
  ];
}

const sign = (...parts: readonly (string | boolean | undefined)[]): string => JSON.stringify(parts);

/** How each binding says that it does not know an operation. HTTP 404 says as much of a task that is not there. */
const unknown: ReadonlySet<string | undefined> = new Set(["-32601", "UNIMPLEMENTED", "HTTP 405", "HTTP 501"]);

/** How each binding says that the agent broke down; or it says nothing that can be read. */
const breakdowns: ReadonlySet<string | undefined> = new Set([
  "-32603",
  "HTTP 500",
  "INTERNAL",
  "UNKNOWN",
  "DATA_LOSS",
  "unreadable",
  "none",
]);

/** Whether an error came back as HTTP has them, and not as the binding writes errors. */
export const isUndressed = ({ operation, answer = "" }: ConformanceResult): boolean =>
  operation !== undefined && /^HTTP [45]\d\d, unreadable$/.test(answer);

export const isAnsweredAsUnknown = ({ operation, answer }: ConformanceResult): boolean =>
  operation !== undefined && unknown.has(answer);

/** Without what is new in every request: the id of a call, and the ids that were made up for it. */
const impersonal = (text: string): string =>
  text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "…").replace(/"id":\s*(\d+|"…")/g, '"id":…');
