import { isAnsweredAsUnknown, isUndressed } from "./one-cause.ts";
import type { ConformanceResult } from "./result.ts";

/** What stands for all. Errors that are all dressed wrongly have one remedy, and it is not that of the first rule they break. */
export function exampleOf(results: readonly ConformanceResult[]): ConformanceResult {
  const [first] = results;
  return results.filter(isUndressed).length > 1 ? { ...first!, remedy: dressed } : first!;
}

const dressed =
  "Catch whatever a request ends with in one place, unknown methods and invalid input included, and answer with the error of the binding: for JSON-RPC, an object with jsonrpc, id and error.";

/** Of operations that are unknown to the agent, or fail outside of the binding, how many; else what the gravest failure saw. */
export function headlineOf(results: readonly ConformanceResult[]): string {
  const unknown = results.filter(isAnsweredAsUnknown);
  const undressed = results.filter(isUndressed);
  if (operationsOf(unknown).length > 1) return `${answered(unknown)}: ${operationsOf(unknown).join(", ")}`;
  if (operationsOf(undressed).length > 1)
    return `${answered(undressed)}, with no error of the binding: ${operationsOf(undressed).join(", ")}`;
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
