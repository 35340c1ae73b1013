import { isAnsweredAsUnknown, isUndressed } from "./one-cause.ts";
import type { ConformanceResult } from "./result.ts";

/**
 * Returns the result that represents the group. Errors in a wrong format share one remedy, which is not that of the
 * first rule they break.
 */
export function exampleOf(results: readonly ConformanceResult[]): ConformanceResult {
  const [first] = results;
  return results.filter(isUndressed).length > 1 ? { ...first!, remedy: dressed } : first!;
}

const dressed =
  "Handle every error in one place, including unknown methods and invalid input. Return the error of the binding: for JSON-RPC, an object with jsonrpc, id and error.";

/**
 * Returns the number of operations that are unknown or fail outside the binding, or else the message of the most
 * severe failure.
 */
export function headlineOf(results: readonly ConformanceResult[]): string {
  const unknown = results.filter(isAnsweredAsUnknown);
  const undressed = results.filter(isUndressed);
  if (operationsOf(unknown).length > 1) return `${answered(unknown)}: ${operationsOf(unknown).join(", ")}`;
  if (operationsOf(undressed).length > 1)
    return `${answered(undressed)}, without an error of the binding: ${operationsOf(undressed).join(", ")}`;
  return results[0]!.message ?? results[0]!.warning ?? "";
}

const operationsOf = (results: readonly ConformanceResult[]): string[] => [
  ...new Set(results.flatMap(({ operation }) => operation ?? [])),
];

/** "3 operations answer -32601 or UNIMPLEMENTED" */
function answered(results: readonly ConformanceResult[]): string {
  const answers = [...new Set(results.map(({ answer }) => answer?.replace(/, unreadable$/, "")))].join(" or ");
  return `${operationsOf(results).length} operations answer ${answers}`;
}
