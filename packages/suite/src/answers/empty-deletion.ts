import type { Call } from "../define/call.ts";
import { asObject } from "./loose-json.ts";
import { jsonBodyOf } from "./reading.ts";

/** Recognises a JSON-RPC deletion confirmed with neither result nor error. It took effect; JSONRPC-003 reports it. */
export function isEmptyDeletion({ operation, on, exchange }: Call): boolean {
  if (on.binding !== "JSONRPC" || operation !== "DeleteTaskPushNotificationConfig") return false;
  const json = asObject(jsonBodyOf(exchange));
  return json !== undefined && !("result" in json) && !("error" in json);
}
