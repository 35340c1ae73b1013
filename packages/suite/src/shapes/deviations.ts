import {
  enumNames,
  type Field,
  fieldsOf,
  inUtc,
  isObject,
  type JsonValue,
  type MessageName,
  messageOfKind,
  standardBase64,
} from "@assay/protocol";
import { entriesOf, stepOf, type Typed, typedObjects } from "./walk.ts";

/** A place where a document deviates from the .proto and ProtoJSON. Unknown members do not count. */
export interface Deviation {
  readonly kind: DeviationKind;
  /** the message that has the field */
  readonly message: MessageName;
  /** JSON name of the field; name of the oneof if none or several of its members are set */
  readonly member: string;
  readonly path: string;
  /** last steps of the path, starting at the whole object */
  readonly tail: string;
  /** value of the field; undefined if absent */
  readonly value: JsonValue | undefined;
  /** the whole object */
  readonly within: Typed["value"];
}

export type DeviationKind =
  /** REQUIRED and absent, or null, which ProtoJSON readers treat as absent */
  | "missing"
  /** REQUIRED and "", or an empty array that needs an element */
  | "empty"
  /** optional and null: readers treat it as absent, but it should be omitted */
  | "null"
  /** in the .proto spelling, where only the JSON spelling is valid */
  | "snake"
  | "type"
  /** not a name of the enum */
  | "enum"
  /** REQUIRED, and the enum name for "unspecified" */
  | "unspecified"
  /** a string that is not a timestamp, or not base64 */
  | "format"
  /** no member of a required oneof is set */
  | "none-of"
  | "several-of";

/** Oneofs that must be set. */
const compulsory: ReadonlySet<string> = new Set([
  "Part.content",
  "SendMessageResponse.payload",
  "StreamResponse.payload",
]);

/** Returns every deviation in a document of this message. */
export function deviationsIn(message: MessageName, json: unknown): Deviation[] {
  if (!isObject(json)) {
    const value = json as JsonValue;
    return [{ kind: "type", message, member: "", path: "$", tail: "", value, within: {} }];
  }
  return typedObjects(message, json).flatMap(deviationsOf);
}

/**
 * Returns the deviations of one object, without those of the objects in it. A task may have tens of thousands of
 * objects, most of them sound, so places are built only where something is wrong.
 */
export function deviationsOf(object: Typed): Deviation[] {
  const found: Deviation[] = [];
  for (const field of fieldsOf(object.message)) addOfField(object, field, found);
  for (const [oneof, fields] of oneofsOf(object.message)) addOfOneof(object, oneof, fields, found);
  return found;
}

function addOfField({ message, path, value: within }: Typed, field: Field, found: Deviation[]): void {
  const name = spelled(within, field);
  const content = within[name];
  const add = (kind: DeviationKind, value = content, step = ""): void => {
    const tail = stepOf(name) + step;
    found.push({ kind, message, member: field.json, path: path + tail, tail, value, within });
  };
  if (name !== field.json) add("snake");
  if (isUnset(field, content) || isBeside(field, within)) {
    if (field.required) add("missing");
    else if (content === null) add("null");
    return;
  }
  if (field.required && isEmpty(field, content!)) add("empty");
  const isSound = isHeld(field, content!);
  if (!isSound) add("type");
  for (const [step, entry] of isSound ? entriesOf(content!, field) : []) {
    const kind = wrongWith(field.kind, entry) ?? (field.required && isUnspecified(field.kind, entry) && "unspecified");
    if (kind) add(kind, entry, step);
  }
}

/** Returns true if a list is an array, and a map an object. */
const isHeld = ({ repeated, map }: Field, content: JsonValue): boolean =>
  repeated ? Array.isArray(content) : map ? isObject(content) : true;

function addOfOneof(
  { message, path, value }: Typed,
  member: string,
  fields: readonly Field[],
  found: Deviation[],
): void {
  const present = fields.filter((field) => !isUnset(field, value[spelled(value, field)]) && !isBeside(field, value));
  const at = { message, member, path, tail: "", value, within: value };
  if (present.length > 1) found.push({ ...at, kind: "several-of" });
  if (present.length === 0 && compulsory.has(`${message}.${member}`)) found.push({ ...at, kind: "none-of" });
}

/** The oneofs of each message by its list of fields, which is always the same list. */
const oneofs = new WeakMap<readonly Field[], ReadonlyMap<string, readonly Field[]>>();

function oneofsOf(message: MessageName): ReadonlyMap<string, readonly Field[]> {
  const all = fieldsOf(message);
  const known = oneofs.get(all);
  if (known) return known;
  const read = new Map<string, Field[]>();
  for (const field of all)
    if (field.oneof !== undefined) read.set(field.oneof, [...(read.get(field.oneof) ?? []), field]);
  oneofs.set(all, read);
  return read;
}

/** Returns the name of a field in the document: the JSON name, unless only the .proto name is present. */
const spelled = (value: Typed["value"], { json, proto }: Field): string =>
  Object.hasOwn(value, json) || !Object.hasOwn(value, proto) ? json : proto;

/** In a `google.protobuf.Value`, null is a value; everywhere else it means absent. */
const isUnset = ({ kind }: Field, content: JsonValue | undefined): boolean =>
  content === undefined || (content === null && kind !== "value");

/** Null as the `data` of a part is a value only if nothing else is set: null is never a second content. */
const isBeside = ({ kind, oneof }: Field, value: Typed["value"]): boolean =>
  kind === "value" &&
  oneof !== undefined &&
  (value["data"] ?? null) === null &&
  ["text", "raw", "url"].some((name) => (value[name] ?? null) !== null);

function isEmpty({ kind, required }: Field, content: JsonValue): boolean {
  if (content === "" && kind === "string") return required !== "may-be-empty";
  return required === "non-empty" && Array.isArray(content) && content.length === 0;
}

/** Returns what is wrong with a value of this kind. */
function wrongWith(kind: string, value: JsonValue): "type" | "enum" | "format" | undefined {
  if (messageOfKind(kind)) return isObject(value) ? undefined : "type";
  const names = enumNames(kind);
  if (names) return typeof value === "string" && names.includes(value) ? undefined : "enum";
  switch (kind) {
    case "bool":
      return typeof value === "boolean" ? undefined : "type";
    case "int32":
      return Number.isInteger(value) ? undefined : "type";
    case "struct":
      return isObject(value) ? undefined : "type";
    case "value":
      return undefined;
    case "timestamp":
      if (typeof value !== "string") return "type";
      return isInUtc(value) ? undefined : "format";
    case "bytes":
      if (typeof value !== "string") return "type";
      return standardBase64(value) === undefined || looksLikeHex(value) ? "format" : undefined;
    default:
      return typeof value === "string" ? undefined : "type";
  }
}

const isUnspecified = (kind: string, value: JsonValue): boolean => enumNames(kind)?.[0] === value;

/** Requires Z, and at most the nine digits of protobuf (AMB-39). */
const isInUtc = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && inUtc(text) !== undefined;

/**
 * Recognises hexadecimal, which often decodes as base64. Real base64 of that length practically never uses only sixteen
 * of its sixty-four characters.
 */
const looksLikeHex = (text: string): boolean =>
  text.length >= 32 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) && new Set(text).size >= 8;
