import { isObject, type JsonObject } from "@assay/protocol";
import { asObject, asText } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { jsonOf } from "../bindings/bodies.ts";

/** What stands on the wire of 0.1, as it was written; of other versions it says nothing. */

/** A call as it went out. */
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

/** The result of a call that is answered with a task, whatever it holds. */
export function saidTask(call: Call): { readonly sent: SentCall; readonly result: unknown } | undefined {
  const sent = sentCall(call);
  if (!sent || !taskMethods.includes(sent.method) || call.said.is !== "result") return undefined;
  return { sent, result: call.said.json };
}

/** The results in the events of a stream, as they were written; errors among them are left out. */
export const saidEvents = ({ said, on }: Call): readonly JsonObject[] =>
  on.dialect === "0.1" && said.is === "stream"
    ? said.events.flatMap((frame) => (frame.is === "result" && isObject(frame.json) ? [frame.json as JsonObject] : []))
    : [];

/** The state that a task or a status event is in, in the words of 0.1. */
export const stateIn = (holder: unknown): string | undefined =>
  asText(asObject(asObject(holder)?.["status"])?.["state"]);

/** The artifacts of an event: the schema has one, and a page of the time shows a list. */
export const artifactsIn = ({ artifact }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(artifact) ? artifact : [artifact]).map(asObject).filter((entry) => entry !== undefined);

/** Nothing follows in the stream by itself. */
export const isLastState = (state: string | undefined): boolean =>
  state === "completed" || state === "failed" || state === "canceled";
