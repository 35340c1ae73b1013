import type { AnswerPlace } from "@assay/suite/report";
import type { CellFailure } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";

/** Maps the path of a failed expectation to a path in the recorded JSON. */
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
  // Before 1.0 a response has a kind instead of a wrapping member.
  const inner = on?.dialect === "1.0" ? path : path.replace(/^(?:task|message)\b\.?/, "");
  return { path: inner === "" ? envelope : `${envelope}.${inner}` };
}
