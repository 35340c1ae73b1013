import { isObject, type JsonObject } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { asObject } from "./loose-json.ts";

const companions = new Set(["error", "errors", "message", "detail", "details", "code", "status", "success", "ok"]);

/**
 * Returns the body of an error that came with the status of a success. No A2A response has a member `error`, so a body
 * with nothing else in it, or only related members, is a failure.
 */
export function disguisedError({ reply }: Call): JsonObject | undefined {
  const first = reply.is === "stream" ? reply.events[0] : reply;
  const answer = first?.is === "result" ? asObject(first.json) : undefined;
  if (!answer || answer["error"] === undefined || answer["error"] === null || isObject(answer["message"]))
    return undefined;
  return Object.keys(answer).every((name) => companions.has(name)) ? answer : undefined;
}
