import { isObject, type JsonObject, type JsonValue, type Operation } from "@assay/protocol";
import type { CodecContext, Layers } from "../definition/layers.ts";

type Codec = NonNullable<Layers["codec"]>;

/** Members with free content from users and skills. */
const free = ["data", "metadata"];

/** Changes every protocol object in a JSON value, innermost first. */
export function eachObject(json: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(json)) return json.map((entry) => eachObject(entry, change));
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject).map(([name, value]): [string, JsonValue] => [
    name,
    free.includes(name) ? value : eachObject(value, change),
  ]);
  return change(Object.fromEntries(members));
}

/** Changes a member of every object that has it. */
export const eachMember = (json: JsonValue, name: string, change: (value: JsonValue) => JsonValue): JsonValue =>
  eachObject(json, (object) => (Object.hasOwn(object, name) ? { ...object, [name]: change(object[name]!) } : object));

export const without = (object: JsonObject, name: string): JsonObject => {
  const { [name]: _gone, ...rest } = object;
  return rest;
};

/**
 * Sets the value at a path such as `skills.0.id`, or removes the member without a value. The parents must
 * exist.
 */
export function edited(json: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return value === undefined ? without(json, name) : { ...json, [name]: value };
  const inner = json[name];
  if (!Array.isArray(inner)) return { ...json, [name]: edited(inner as JsonObject, rest.join("."), value) };
  const [index, ...below] = rest;
  const change = (entry: JsonValue): JsonValue => edited(entry as JsonObject, below.join("."), value);
  return { ...json, [name]: inner.map((entry, at) => (String(at) === index ? change(entry) : entry)) };
}

/** Changes JSON on the wire, which gRPC does not have. */
export const inJson =
  (change: (json: JsonValue, written: CodecContext) => JsonValue): Codec =>
  (json, written) =>
    written.binding === "GRPC" ? json : change(json, written);

/** Changes the successful responses of one operation, which are all objects. */
export const answerOf =
  (operation: Operation, change: (answer: JsonObject) => JsonValue): Codec =>
  (json, written) =>
    written.is === "answer" && written.operation === operation ? change(json as JsonObject) : json;

/** Changes the task in the response to a message; a direct message stays unchanged. */
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

/** Replaces one JSON-RPC error code by another. */
export const recoded = (from: number, to: number): Codec =>
  errors("JSONRPC", (answer) => {
    const error = answer["error"] as JsonObject;
    return error["code"] === from ? { ...answer, error: { ...error, code: to } } : answer;
  });
