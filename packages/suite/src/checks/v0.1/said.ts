import { isObject, type JsonObject } from "@assay/protocol";
import { asObject, asText } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { jsonOf } from "../bindings/bodies.ts";

/** Reads 0.1 messages as written; returns nothing for other versions. */

/** A request as sent. */
interface SentCall {
  readonly method: string;
  readonly params: JsonObject;
}

export function sentCall({ exchange, on }: Call): SentCall | undefined {
  if (on.dialect !== "0.1") return undefined;
  const { body } = exchange.http.request;
  const json = asObject(jsonOf(body));
  const method = asText(json?.["method"]);
  const params = asObject(json?.["params"]);
  return method === undefined || !params ? undefined : { method, params };
}

const taskMethods = ["tasks/send", "tasks/get", "tasks/cancel"];

/** Returns the result of a call that returns a task, with any content. */
export function saidTask(call: Call): { readonly sent: SentCall; readonly result: unknown } | undefined {
  const sent = sentCall(call);
  if (!sent || !taskMethods.includes(sent.method) || call.said.is !== "result") return undefined;
  return { sent, result: call.said.json };
}

/** Returns the results in the events of a stream, as written, without errors. */
export const saidEvents = ({ said, on }: Call): readonly JsonObject[] =>
  on.dialect === "0.1" && said.is === "stream"
    ? said.events.flatMap((frame) => (frame.is === "result" && isObject(frame.json) ? [frame.json as JsonObject] : []))
    : [];

/** Returns the state of a task or status event, in the words of 0.1. */
export const stateIn = (holder: unknown): string | undefined =>
  asText(asObject(asObject(holder)?.["status"])?.["state"]);

/** Returns the artifacts of an event: the schema has one, but a page of that version shows a list. */
export const artifactsIn = ({ artifact }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(artifact) ? artifact : [artifact]).map(asObject).filter((entry) => entry !== undefined);

/** Returns true if a task has ended, so that nothing follows in its stream. */
export const isLastState = (state: string | undefined): boolean =>
  state === "completed" || state === "failed" || state === "canceled";
