import fc from "fast-check";
import { enums, messages } from "./generated/fields.ts";
import type { Messages } from "./generated/model.ts";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import type { Field } from "./schemas/field.ts";

export type MessageName = keyof Messages;

export const messageNames = Object.keys(messages) as MessageName[];

const isMessage = (kind: string): kind is MessageName => kind in messages;

// ---- Canonical values, as a strict 1.0 peer writes them

const text = (minLength = 0): fc.Arbitrary<string> => fc.string({ unit: "grapheme", minLength, maxLength: 6 });

/** Keys of maps and structs. The sender chooses them, so some look like an index, a path or a prototype. */
const key = fc.oneof(fc.constantFrom("oauth", "tide.read", "0", "a/b~c", "with blank", "", "__proto__"), text());

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    // JSON.stringify writes -0 as 0, so -0 would not survive a round trip.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    text(),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const struct = fc.dictionary(key, json, { maxKeys: 2, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

const timestamp = fc
  .tuple(
    fc.date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true }),
    fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 9 }),
  )
  .map(([date, digits]) => `${date.toISOString().slice(0, 19)}${digits && `.${digits}`}Z`);

const scalars: Record<string, fc.Arbitrary<JsonValue>> = {
  string: text(),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  bytes: fc.uint8Array({ maxLength: 9 }).map((bytes) => btoa(String.fromCharCode(...bytes))),
  timestamp,
  struct,
  value: json,
};

function elementOf({ kind, required, repeated, map }: Field): fc.Arbitrary<JsonValue> {
  if (isMessage(kind)) return messageOf(kind);
  const values = enums[kind];
  if (values) return fc.constantFrom(...Object.keys(values).filter((name) => values[name] !== 0));
  if (kind === "string" && required === "present" && !repeated && !map) return text(1);
  return scalars[kind]!;
}

/** Any canonical value of one member, which may be a whole list or map. */
export function memberOf(field: Field): fc.Arbitrary<JsonValue> {
  const value = elementOf(field);
  if (field.map) return fc.dictionary(key, value, { maxKeys: 2, noNullPrototype: true });
  if (field.repeated) return fc.array(value, { minLength: field.required === "non-empty" ? 1 : 0, maxLength: 2 });
  return value;
}

function recordOf(fields: readonly Field[], requiredKeys: string[]): fc.Arbitrary<JsonObject> {
  const model = Object.fromEntries(fields.map((field) => [field.json, memberOf(field)]));
  return fc.record(model, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const built = new Map<MessageName, fc.Arbitrary<JsonObject>>();

/** Any canonical value of a message, built from the field table. */
export function messageOf(name: MessageName): fc.Arbitrary<JsonObject> {
  let arbitrary = built.get(name);
  if (!arbitrary) {
    const fields = messages[name];
    const plain = fields.filter((field) => !field.oneof);
    const choices = fields.filter((field) => field.oneof);
    const required = plain.filter((field) => field.required).map((field) => field.json);
    arbitrary = recordOf(plain, required);
    if (choices.length) {
      const choice = fc.oneof(...choices.map((field) => recordOf([field], [field.json])));
      arbitrary = fc.tuple(arbitrary, choice).map(([rest, chosen]) => ({ ...rest, ...chosen }));
    }
    built.set(name, arbitrary);
  }
  return arbitrary;
}

// ---- The same value in the spellings that ProtoJSON allows

export interface Spelling {
  readonly snakeCase: boolean;
  readonly enumNumbers: boolean;
  readonly numericStrings: boolean;
  readonly base64: "standard" | "url-safe" | "unpadded";
  /** minutes east of Greenwich */
  readonly offset: number;
  readonly unknownMembers: boolean;
  /** `null` for members that are not set: nowhere, outside oneofs only, or everywhere */
  readonly nulls: "nowhere" | "outside oneofs" | "everywhere";
}

export const spelling: fc.Arbitrary<Spelling> = fc.record({
  snakeCase: fc.boolean(),
  enumNumbers: fc.boolean(),
  numericStrings: fc.boolean(),
  base64: fc.constantFrom("standard", "url-safe", "unpadded"),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: -14 * 60, max: 14 * 60 })),
  unknownMembers: fc.boolean(),
  nulls: fc.constantFrom("nowhere", "outside oneofs", "everywhere"),
});

export function respell(name: MessageName, value: JsonObject, how: Spelling): JsonObject {
  const result: JsonObject = how.unknownMembers ? { kind: "task", x_unheard_of: { id: [1] } } : {};
  for (const field of messages[name]) {
    const member = value[field.json];
    const spelled = how.snakeCase ? field.proto : field.json;
    if (member !== undefined) result[spelled] = respellMember(field, member, how);
    // In a google.protobuf.Value null is a value; everywhere else it means "not set".
    else if (field.kind === "value") continue;
    else if (how.nulls === "everywhere" || (how.nulls === "outside oneofs" && !field.oneof)) result[spelled] = null;
  }
  return result;
}

function respellMember(field: Field, member: JsonValue, how: Spelling): JsonValue {
  if (field.map) return mapValues(member as JsonObject, (entry) => respellValue(field.kind, entry, how));
  if (field.repeated) return (member as JsonValue[]).map((entry) => respellValue(field.kind, entry, how));
  return respellValue(field.kind, member, how);
}

function respellValue(kind: string, value: JsonValue, how: Spelling): JsonValue {
  if (isMessage(kind)) return respell(kind, value as JsonObject, how);
  if (enums[kind]) return how.enumNumbers ? enums[kind][value as string]! : value;
  if (kind === "int32") return how.numericStrings ? String(value) : value;
  if (kind === "timestamp") return withOffset(value as string, how.offset);
  if (kind !== "bytes" || how.base64 === "standard") return value;
  const bare = (value as string).replaceAll("=", "");
  return how.base64 === "unpadded" ? bare : bare.replaceAll("+", "-").replaceAll("/", "_");
}

function withOffset(utc: string, minutes: number): string {
  if (minutes === 0) return utc;
  const local = new Date(Date.parse(`${utc.slice(0, 19)}Z`) + minutes * 60_000).toISOString().slice(0, 19);
  const pad = (number: number): string => String(number).padStart(2, "0");
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${utc.slice(19, -1)}${minutes < 0 ? "-" : "+"}${pad(hours)}:${pad(rest)}`;
}

/** Object.fromEntries, unlike assignment, keeps a key called `__proto__`. */
const mapValues = (object: JsonObject, change: (entry: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, entry]) => [name, change(entry)]));

const isDefault = (kind: string, value: JsonValue): boolean =>
  value === "" || value === 0 || value === false || (kind === "int64" && value === "0");

/** Returns a value as protobuf prints it: without default values, unless the field tracks presence. */
export function withoutDefaults(name: MessageName, value: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const field of messages[name]) {
    const member = value[field.json];
    if (member === undefined) continue;
    const { kind } = field;
    const inner = (entry: JsonValue): JsonValue => {
      if (isMessage(kind)) return withoutDefaults(kind, entry as JsonObject);
      return kind === "timestamp" ? printedTimestamp(entry as string) : entry;
    };
    if (field.map) {
      if (Object.keys(member as JsonObject).length) result[field.json] = mapValues(member as JsonObject, inner);
    } else if (field.repeated) {
      if ((member as JsonValue[]).length) result[field.json] = (member as JsonValue[]).map(inner);
    } else if (field.optional || field.oneof || !isDefault(kind, member)) {
      result[field.json] = inner(member);
    }
  }
  return result;
}

/** Printers write 0, 3, 6 or 9 fractional digits, as few as hold the value. */
function printedTimestamp(utc: string): string {
  const digits = utc.slice(20, -1).padEnd(9, "0");
  const kept = digits.replace(/(?:000){1,3}$/, "");
  return `${utc.slice(0, 19)}${kept && `.${kept}`}Z`;
}

// ---- Places in a value, with the path that a violation must name

export type Step = string | number;

export interface Place {
  readonly path: string;
  readonly steps: readonly Step[];
  readonly field: Field;
  /** a whole list, a whole map, or a single value (which may be an element of either) */
  readonly is: "list" | "map" | "value";
  readonly element: boolean;
}

export interface MessagePlace {
  readonly path: string;
  readonly steps: readonly Step[];
  readonly name: MessageName;
}

interface Cursor {
  readonly path: string;
  readonly steps: readonly Step[];
}

const root: Cursor = { path: "$", steps: [] };

function into({ path, steps }: Cursor, step: Step): Cursor {
  const plain = typeof step === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(step);
  return { path: plain ? `${path}.${step}` : `${path}[${JSON.stringify(step)}]`, steps: [...steps, step] };
}

/** Returns every member and element of a canonical value that the schema defines. */
export function placesOf(name: MessageName, value: JsonObject, at: Cursor = root): Place[] {
  return messages[name].flatMap((field) => {
    const member = value[field.json];
    // The schema of a released version does not define the members of a draft.
    if (member === undefined || field.draft) return [];
    const here = into(at, field.json);
    const single = (entry: JsonValue, cursor: Cursor, element: boolean): Place[] => [
      { ...cursor, field, is: "value", element },
      ...(isMessage(field.kind) ? placesOf(field.kind, entry as JsonObject, cursor) : []),
    ];
    const entries = elementsOf(field, member);
    if (!entries) return single(member, here, false);
    const inside = entries.flatMap(([step, entry]) => single(entry, into(here, step), true));
    return [{ ...here, field, is: field.map ? "map" : "list", element: false } as const, ...inside];
  });
}

function elementsOf(field: Field, member: JsonValue): [Step, JsonValue][] | undefined {
  if (field.map) return Object.entries(member as JsonObject);
  return field.repeated ? [...(member as JsonValue[]).entries()] : undefined;
}

/** Returns every message inside a canonical value, including the value itself. */
export const messagesIn = (name: MessageName, value: JsonObject): MessagePlace[] => [
  { ...root, name },
  ...placesOf(name, value).flatMap(({ path, steps, field, is }) =>
    is === "value" && isMessage(field.kind) ? [{ path, steps, name: field.kind }] : [],
  ),
];

/** Returns a copy of `value` with a change in the holder of a place. */
export function changed(
  value: JsonObject,
  steps: readonly Step[],
  change: (holder: Record<Step, JsonValue>, step: Step) => void,
): JsonObject {
  const copy = structuredClone(value);
  const holder = steps.slice(0, -1).reduce<unknown>((inner, step) => (inner as Record<Step, unknown>)[step], copy);
  change(holder as Record<Step, JsonValue>, steps.at(-1)!);
  return copy;
}

/** Returns values that are invalid at a place even for a tolerant reader. */
export function wrongFor({ field, is }: Place): JsonValue[] {
  if (is === "list") return ["text", 7, true, { 0: "a" }];
  if (is === "map") return ["text", 7, true, ["a"]];
  if (isMessage(field.kind) || field.kind === "struct") return ["text", 7, true, ["a"]];
  if (enums[field.kind]) return ["", "working", "TASK_STATE_", 99, -1, 1.5, true, {}, []];
  return wrongScalars[field.kind] ?? [];
}

const wrongScalars: Record<string, JsonValue[]> = {
  string: [7, 0, true, false, {}, ["a"]],
  bool: ["true", "", 0, 1, {}, []],
  int32: ["", "seven", "1.5", 1.5, 2147483648, "2147483648", -2147483649, true, {}, []],
  bytes: ["no base64!", "A", "AA=A", 7, true, {}, []],
  timestamp: ["", "yesterday", "2026-02-30T00:00:00Z", "2026-02-30T00:00:00+01:00", "2026-01-01", 0, true, {}, []],
  // Every JSON value is valid for google.protobuf.Value.
  value: [],
};

/** Returns true if the value has a key that assignment (and so protobuf-es) turns into a prototype. */
export function namesPrototype(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(namesPrototype);
  return (
    isObject(value) && (Object.hasOwn(value, "__proto__") || Object.values(value as JsonObject).some(namesPrototype))
  );
}
