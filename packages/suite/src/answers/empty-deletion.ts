import type { Call } from "../define/call.ts";
import { asObject } from "./loose-json.ts";
import { jsonBodyOf } from "./reading.ts";

/** A deletion over JSON-RPC that is confirmed with neither result nor error: JSONRPC-003 reports it, and it was taken. */
export function isEmptyDeletion({ operation, on, exchange }: Call): boolean {
  if (on.binding !== "JSONRPC" || operation !== "DeleteTaskPushNotificationConfig") return false;
  const json = asObject(jsonBodyOf(exchange));
  return json !== undefined && !("result" in json) && !("error" in json);
}
