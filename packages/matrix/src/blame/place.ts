import type { AnswerPlace } from "@assay/suite/report";
import type { CellFailure } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";

/** Where in an answer an expectation did not hold: from the path of the scenario to that of the recorded JSON. */
export function placeOf(
  { path, code }: Pick<CellFailure, "path" | "code">,
  { interface: on }: Pick<MatrixExchange, "interface">,
): AnswerPlace | undefined {
  if (code === "wire" || on?.binding === "GRPC") return undefined;
  const envelope = on?.binding === "JSONRPC" ? "$.result" : "$";
  if (code === "other-error") return { path: on?.binding === "JSONRPC" ? "$.error.code" : "$.error" };
  if (path === undefined) return undefined;
  const event = /^events\[(\d+)\]/.exec(path)?.[1];
  if (event !== undefined) return { event: Number(event) };
  // Before 1.0 an answer says itself what it is, and has no member of that name around it.
  const inner = on?.dialect === "1.0" ? path : path.replace(/^(?:task|message)\b\.?/, "");
  return { path: inner === "" ? envelope : `${envelope}.${inner}` };
}
