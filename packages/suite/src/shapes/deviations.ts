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

/** One place where a document is not what the .proto and ProtoJSON ask for. Unknown members are none. */
export interface Deviation {
  readonly kind: DeviationKind;
  /** the message whose field it is */
  readonly message: MessageName;
  /** the field, by its name in JSON; the name of the oneof where none or several of its members are there */
  readonly member: string;
  readonly path: string;
  /** the last steps of it, from the whole object on */
  readonly tail: string;
  /** what stands there; undefined where nothing does */
  readonly value: JsonValue | undefined;
  /** the whole object, to tell what else is in it */
  readonly within: Typed["value"];
}

export type DeviationKind =
  /** REQUIRED and not there (or null, which ProtoJSON readers take for not there) */
  | "missing"
  /** REQUIRED and "", or an array that needs an element and has none */
  | "empty"
  /** optional and null: the same as not there, but not how it is written */
  | "null"
  /** in the spelling of the .proto, where only that of JSON is right */
  | "snake"
  | "type"
  /** no name of the enum */
  | "enum"
  /** REQUIRED, and the name that says "unspecified" */
  | "unspecified"
  /** a string that is no timestamp, or no base64 */
  | "format"
  /** of a oneof that must be set */
  | "none-of"
  | "several-of";

/** The oneofs that a message cannot do without. */
const compulsory: ReadonlySet<string> = new Set([
  "Part.content",
  "SendMessageResponse.payload",
  "StreamResponse.payload",
]);

/** Every deviation in a document of this message. */
export function deviationsIn(message: MessageName, json: unknown): Deviation[] {
  if (!isObject(json)) {
    const value = json as JsonValue;
    return [{ kind: "type", message, member: "", path: "$", tail: "", value, within: {} }];
  }
  return [...typedObjects(message, json)].flatMap((object) => [...ofFields(object), ...ofOneofs(object)]);
}

function* ofFields({ message, path, value }: Typed): Generator<Deviation> {
  for (const field of fieldsOf(message)) {
    const name = spelled(value, field);
    const at = { message, member: field.json, path: path + stepOf(name), tail: stepOf(name), within: value };
    const content = value[name];
    if (name !== field.json) yield { ...at, kind: "snake", value: content };
    if (isUnset(field, content) || isBeside(field, value)) {
      if (field.required) yield { ...at, kind: "missing", value: content };
      else if (content === null) yield { ...at, kind: "null", value: content };
      continue;
    }
    if (field.required && isEmpty(field, content!)) yield { ...at, kind: "empty", value: content };
    yield* ofContent(field, content!, at);
  }
}

function* ofContent(field: Field, content: JsonValue, at: Omit<Deviation, "kind" | "value">): Generator<Deviation> {
  const isHeld = field.repeated ? Array.isArray(content) : field.map ? isObject(content) : true;
  if (!isHeld) {
    yield { ...at, kind: "type", value: content };
    return;
  }
  for (const [step, entry] of entriesOf(content, field)) {
    const kind = wrongWith(field.kind, entry) ?? (field.required && isUnspecified(field.kind, entry) && "unspecified");
    if (kind) yield { ...at, kind, path: at.path + step, tail: at.tail + step, value: entry };
  }
}

function* ofOneofs({ message, path, value }: Typed): Generator<Deviation> {
  const oneofs = new Map<string, string[]>();
  for (const field of fieldsOf(message)) {
    if (field.oneof === undefined) continue;
    const present = oneofs.get(field.oneof) ?? [];
    if (!isUnset(field, value[spelled(value, field)]) && !isBeside(field, value)) present.push(field.json);
    oneofs.set(field.oneof, present);
  }
  for (const [oneof, present] of oneofs) {
    const at = { message, member: oneof, path, tail: "", value, within: value };
    if (present.length > 1) yield { ...at, kind: "several-of" };
    if (present.length === 0 && compulsory.has(`${message}.${oneof}`)) yield { ...at, kind: "none-of" };
  }
}

/** The member under which a field is found, which is that of JSON unless only the other one is there. */
const spelled = (value: Typed["value"], { json, proto }: Field): string =>
  Object.hasOwn(value, json) || !Object.hasOwn(value, proto) ? json : proto;

/** In a `google.protobuf.Value` null is a value; everywhere else it says that there is none. */
const isUnset = ({ kind }: Field, content: JsonValue | undefined): boolean =>
  content === undefined || (content === null && kind !== "value");

/** Null as the `data` of a part is a value only where nothing else is set: null is never a second content. */
const isBeside = ({ kind, oneof }: Field, value: Typed["value"]): boolean =>
  kind === "value" &&
  oneof !== undefined &&
  (value["data"] ?? null) === null &&
  ["text", "raw", "url"].some((name) => (value[name] ?? null) !== null);

function isEmpty({ kind, required }: Field, content: JsonValue): boolean {
  if (content === "" && kind === "string") return required !== "may-be-empty";
  return required === "non-empty" && Array.isArray(content) && content.length === 0;
}

/** What is wrong with one value of a kind, if anything. */
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

/** With Z, and up to the nine digits that protobuf knows (AMB-39). */
const isInUtc = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && inUtc(text) !== undefined;

/**
 * Hexadecimal decodes as base64 more often than not. But base64 that happens to need nothing but sixteen of its
 * sixty-four signs, many of those and never another, is not to be met with.
 */
const looksLikeHex = (text: string): boolean =>
  text.length >= 32 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) && new Set(text).size >= 8;
