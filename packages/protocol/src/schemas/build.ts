import { enums, messages } from "../generated/fields.ts";
import type { JsonObject } from "../json.ts";
import type { Field } from "./field.ts";

/** The JSON Schema of A2A 1.0 as a peer must write it, derived from the field table: one definition per message. */
export function buildSchema(): JsonObject {
  const definitions: JsonObject = {};
  for (const [name, fields] of Object.entries(messages)) definitions[name] = objectSchema(fields);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "a2a-1.0",
    title: "A2A 1.0, generated from the protocol buffer definition",
    $defs: definitions,
  };
}

function objectSchema(fields: readonly Field[]): JsonObject {
  const properties: JsonObject = {};
  for (const field of fields) properties[field.json] = fieldSchema(field);
  const required = fields.filter((field) => field.required).map((field) => field.json);
  const choices = fields.filter((field) => field.oneof).map((field) => ({ required: [field.json] }));
  return {
    type: "object",
    properties,
    additionalProperties: false,
    ...(required.length ? { required } : {}),
    // Every oneof of the protocol is the heart of its message: exactly one member has to be there.
    ...(choices.length ? { oneOf: choices } : {}),
  };
}

function fieldSchema(field: Field): JsonObject {
  const value = valueSchema(field);
  if (field.map) return { type: "object", additionalProperties: value };
  if (field.repeated) {
    return { type: "array", items: value, ...(field.required === "non-empty" ? { minItems: 1 } : {}) };
  }
  return value;
}

function valueSchema({ kind, required, repeated, map }: Field): JsonObject {
  switch (kind) {
    case "string":
      // In protobuf the empty string is "not set", so a REQUIRED string that is empty is missing.
      return required && required !== "may-be-empty" && !repeated && !map
        ? { type: "string", minLength: 1 }
        : { type: "string" };
    case "bool":
      return { type: "boolean" };
    case "int32":
      return { type: "integer", minimum: -2147483648, maximum: 2147483647 };
    case "bytes":
      return { type: "string", format: "base64" };
    case "timestamp":
      return { type: "string", format: "utc-timestamp" };
    case "struct":
      return { type: "object" };
    case "value":
      return {};
    default: {
      const values = enums[kind];
      if (!values) return { $ref: `#/$defs/${kind}` };
      const names = Object.keys(values);
      return { enum: required ? names.filter((name) => values[name] !== 0) : names };
    }
  }
}
