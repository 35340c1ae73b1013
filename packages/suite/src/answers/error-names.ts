import { a2aErrors, type ErrorName, errorTable } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { errorOf } from "./reading.ts";

const a2aCodes = a2aErrors.map((name) => errorTable[name].code);
const a2aReasons = a2aErrors.map((name): string => errorTable[name].reason);

/** Recognises an A2A error: by its code over JSON-RPC, by the reason in its ErrorInfo elsewhere. */
export function isA2A(call: Call): boolean {
  const error = errorOf(call);
  if (!error) return false;
  if (call.on.binding === "JSONRPC") return error.code !== undefined && a2aCodes.includes(error.code);
  return error.reason !== undefined && a2aReasons.includes(error.reason);
}

/** Recognises an error by its name. A status that several errors share does not count. */
export function isNamed(call: Call, name: ErrorName): boolean {
  const error = errorOf(call);
  if (!error) return false;
  const { code, reason } = errorTable[name];
  return call.on.binding === "JSONRPC" ? error.code === code : error.reason === reason;
}
