import { isAnsweredAsUnknown, isUndressed, isWrongError } from "./one-cause.ts";
import type { ConformanceResult } from "./result.ts";

/**
 * Returns the result that represents the group. Errors in a wrong format share one remedy, which is not that of the
 * first rule they break. A wrong error of several operations has the remedy of one of them.
 */
export function exampleOf(results: readonly ConformanceResult[]): ConformanceResult {
  const first = results[0]!;
  if (results.filter(isUndressed).length > 1) return { ...first, remedy: dressed };
  if (first.remedy === undefined || operationsOf(alikeIn(results)).length < 2) return first;
  return { ...first, remedy: `${first.remedy} The other operations need the same error.` };
}

/** Returns the results whose error differs from the one that the first of them should return. */
const alikeIn = (results: readonly ConformanceResult[]): readonly ConformanceResult[] =>
  results.filter((result) => isWrongError(result) && result.want === results[0]!.want);

const dressed =
  "Handle every error in one place, including unknown methods and invalid input. Return the error of the binding: for JSON-RPC, an object with jsonrpc, id and error.";

/**
 * Returns the number of operations that are unknown, fail outside the binding or return the same wrong error, or else
 * the message of the most severe failure.
 */
export function headlineOf(results: readonly ConformanceResult[]): string {
  const unknown = results.filter(isAnsweredAsUnknown);
  const undressed = results.filter(isUndressed);
  if (operationsOf(unknown).length > 1) return `${answered(unknown)}: ${operationsOf(unknown).join(", ")}`;
  if (operationsOf(undressed).length > 1)
    return `${answered(undressed)}, without an error of the binding: ${operationsOf(undressed).join(", ")}`;
  const first = results[0]!;
  const wrong = alikeIn(results);
  if (operationsOf(wrong).length > 1)
    return `${answered(wrong)} instead of ${first.want}: ${operationsOf(wrong).join(", ")}`;
  return first.message ?? first.warning ?? "";
}

const operationsOf = (results: readonly ConformanceResult[]): string[] => [
  ...new Set(results.flatMap(({ operation }) => operation ?? [])),
];

/** "3 operations answer -32601 or UNIMPLEMENTED" */
function answered(results: readonly ConformanceResult[]): string {
  const answers = [...new Set(results.map(({ answer }) => answer?.replace(/, unreadable$/, "")))].join(" or ");
  return `${operationsOf(results).length} operations answer ${answers}`;
}
