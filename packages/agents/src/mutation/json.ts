import { isObject, type JsonObject, type JsonValue, type Operation } from "@assay/protocol";
import type { CodecContext, Layers } from "../definition/layers.ts";

type Codec = NonNullable<Layers["codec"]>;

/** What stands here belongs to users and skills; it is theirs to shape. */
const free = ["data", "metadata"];

/** Every object of the protocol within, the innermost first, as it is to be written. */
export function eachObject(json: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(json)) return json.map((entry) => eachObject(entry, change));
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject).map(([name, value]): [string, JsonValue] => [
    name,
    free.includes(name) ? value : eachObject(value, change),
  ]);
  return change(Object.fromEntries(members));
}

/** A member of every object that has it, as it is to be written. */
export const eachMember = (json: JsonValue, name: string, change: (value: JsonValue) => JsonValue): JsonValue =>
  eachObject(json, (object) => (Object.hasOwn(object, name) ? { ...object, [name]: change(object[name]!) } : object));

export const without = (object: JsonObject, name: string): JsonObject => {
  const { [name]: _gone, ...rest } = object;
  return rest;
};

/** Another value at a place such as `skills.0.id`; without one, the member is gone. What leads there must exist. */
export function edited(json: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return value === undefined ? without(json, name) : { ...json, [name]: value };
  const inner = json[name];
  if (!Array.isArray(inner)) return { ...json, [name]: edited(inner as JsonObject, rest.join("."), value) };
  const [index, ...below] = rest;
  const change = (entry: JsonValue): JsonValue => edited(entry as JsonObject, below.join("."), value);
  return { ...json, [name]: inner.map((entry, at) => (String(at) === index ? change(entry) : entry)) };
}

/** Where JSON itself is on the wire: on gRPC there is none. */
export const inJson =
  (change: (json: JsonValue, written: CodecContext) => JsonValue): Codec =>
  (json, written) =>
    written.binding === "GRPC" ? json : change(json, written);

/** The successful answers of one operation, which are objects all. */
export const answerOf =
  (operation: Operation, change: (answer: JsonObject) => JsonValue): Codec =>
  (json, written) =>
    written.is === "answer" && written.operation === operation ? change(json as JsonObject) : json;

/** The task that a message is answered with; a direct message stays what it is. */
export const answeredTask = (change: (task: JsonObject) => JsonObject): Codec =>
  answerOf("SendMessage", (answer) =>
    isObject(answer["task"]) ? { ...answer, task: change(answer["task"] as JsonObject) } : answer,
  );

export const events =
  (change: (event: JsonObject) => JsonValue): Codec =>
  (json, written) =>
    written.is === "event" ? change(json as JsonObject) : json;

export const errors =
  (binding: CodecContext["binding"], change: (error: JsonObject, written: CodecContext) => JsonValue): Codec =>
  (json, written) =>
    written.is === "error" && written.binding === binding ? change(json as JsonObject, written) : json;

/** Errors of JSON-RPC with one code have another. */
export const recoded = (from: number, to: number): Codec =>
  errors("JSONRPC", (answer) => {
    const error = answer["error"] as JsonObject;
    return error["code"] === from ? { ...answer, error: { ...error, code: to } } : answer;
  });
