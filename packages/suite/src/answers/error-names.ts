import { a2aErrors, type ErrorName, errorTable, isA2ACode } from "@assay/protocol";
import type { AgentFacts } from "../card/agent-facts.ts";
import type { Call } from "../define/call.ts";
import { errorOf } from "./reading.ts";

const a2aCodes = a2aErrors.map((name) => errorTable[name].code);
const a2aReasons = a2aErrors.map((name): string => errorTable[name].reason);

const draftCodes = Object.values(errorTable).flatMap(({ code }) =>
  isA2ACode(code) && !a2aCodes.includes(code) ? [code] : [],
);

/**
 * Returns true if A2A defines a JSON-RPC code. The error of a draft counts only for an agent that declares the draft.
 */
export const hasMeaning = (code: number, { declared }: Pick<AgentFacts, "declared">): boolean =>
  a2aCodes.includes(code) || (draftCodes.includes(code) && declared.some(({ later }) => later !== undefined));

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
