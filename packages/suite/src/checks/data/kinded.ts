import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { asObject, asObjects, asText } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/** What stands on the wires of 0.2 and 0.3 that say by `kind` what an object is: JSON-RPC, as it was written. */

/** What an object is by the place it has, or else by its members: never by its own word. */
type Kinded = "task" | "message" | "status-update" | "artifact-update";

export interface Document {
  readonly is: Kinded;
  readonly json: JsonObject;
}

const withTask = ["GetTask", "CancelTask"];

/** The results of an exchange: its answer, or each event of its stream. */
export function documentsIn(call: Call): readonly Document[] {
  const { said, operation, fair, on } = call;
  if (on.binding !== "JSONRPC" || (on.dialect !== "0.3" && on.dialect !== "0.2") || operation === undefined) return [];
  // What was asked in another way than the operation's may be answered in another way: that is for those to judge who asked.
  if (!fair) return [];
  if (said.is === "stream")
    return said.events.flatMap((frame) => (frame.is === "result" ? documentOf(frame.json, isEvent) : []));
  if (said.is !== "result") return [];
  if (withTask.includes(operation)) return isObject(said.json) ? [{ is: "task", json: said.json as JsonObject }] : [];
  return operation === "SendMessage" ? documentOf(said.json, isAnswer) : [];
}

function documentOf(json: JsonValue, kindOf: (json: JsonObject) => Kinded | undefined): Document[] {
  const object = asObject(json);
  const is = object && kindOf(object);
  return object && is ? [{ is, json: object }] : [];
}

const isAnswer = ({ status, parts }: JsonObject): Kinded | undefined =>
  status !== undefined ? "task" : Array.isArray(parts) ? "message" : undefined;

function isEvent(json: JsonObject): Kinded | undefined {
  if (isObject(json["artifact"])) return "artifact-update";
  // An update names its task by `taskId`, a task itself by `id`.
  if (isObject(json["status"])) return asText(json["id"]) !== undefined ? "task" : "status-update";
  return Array.isArray(json["parts"]) ? "message" : undefined;
}

/** One object within a document, and where it stands. */
export interface Placed {
  readonly path: string;
  readonly json: JsonObject;
}

/** The messages of the agent within a document; what clients said is theirs. */
export function messagesIn({ is, json }: Document): readonly Placed[] {
  const own = is === "message" ? [{ path: "$", json }] : [];
  const status = asObject(asObject(json["status"])?.["message"]);
  const history = asObjects(json["history"]).map((message, index) => ({ path: `$.history[${index}]`, json: message }));
  return [
    ...own,
    ...(status ? [{ path: "$.status.message", json: status }] : []),
    ...history.filter((message) => message.json["role"] !== "user"),
  ];
}

/** The parts of those messages, and of the artifacts. */
export function partsIn(document: Document): readonly Placed[] {
  const { json } = document;
  const artifact = asObject(json["artifact"]);
  const artifacts = [
    ...(artifact ? [{ path: "$.artifact", json: artifact }] : []),
    ...asObjects(json["artifacts"]).map((each, index) => ({ path: `$.artifacts[${index}]`, json: each })),
  ];
  return [...messagesIn(document), ...artifacts].flatMap((holder) =>
    asObjects(holder.json["parts"]).map((part, index) => ({ path: `${holder.path}.parts[${index}]`, json: part })),
  );
}
