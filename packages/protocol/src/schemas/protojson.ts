import { isObject } from "../json.ts";
import { standardBase64 } from "./base64.ts";
import type { Field } from "./field.ts";
import { inUtc } from "./timestamp.ts";

type Messages = Readonly<Record<string, readonly Field[]>>;
type Enums = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Creates a ProtoJSON reader for one package. It converts the spellings that ProtoJSON allows to one canonical form,
 * and keeps invalid input for the schema to report.
 */
export function protoJsonReader(messages: Messages, enums: Enums): (message: string, json: unknown) => unknown {
  function readMessage(message: string, json: unknown): unknown {
    if (!isObject(json)) return json;
    const result: Record<string, unknown> = {};
    for (const field of messages[message]!) {
      const value = json[field.json] === undefined ? json[field.proto] : json[field.json];
      // In a google.protobuf.Value null is a value; elsewhere it means "not set".
      if (value === undefined || (value === null && field.kind !== "value") || isUnspecified(field, value)) continue;
      result[field.json] = readField(field, value);
    }
    return result;
  }

  /** The zero value of an enum means "unspecified", which equals a missing member. */
  const isUnspecified = ({ kind }: Field, value: unknown): boolean =>
    value === 0 ? kind in enums : typeof value === "string" && enums[kind]?.[value] === 0;

  function readField({ kind, map, repeated }: Field, value: unknown): unknown {
    if (map && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, readValue(kind, entry)]));
    }
    if (repeated && Array.isArray(value)) return value.map((entry) => readValue(kind, entry));
    return readValue(kind, value);
  }

  function readValue(kind: string, value: unknown): unknown {
    if (kind in messages) return readMessage(kind, value);
    const names = enums[kind];
    if (names && typeof value === "number") return Object.keys(names).find((name) => names[name] === value) ?? value;
    return typeof value === "string" ? (scalars[kind]?.(value) ?? value) : value;
  }

  return readMessage;
}

const scalars: Readonly<Record<string, (text: string) => unknown>> = {
  int32: (text) => (/^-?\d{1,10}$/.test(text) ? Number(text) : undefined),
  bytes: standardBase64,
  timestamp: (text) => {
    const moment = inUtc(text);
    return moment?.zoned ? moment.utc : undefined;
  },
};
