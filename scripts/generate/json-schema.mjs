// Builds the JSON Schema for messages of a peer from the field table, with one definition per message.

export const schemaOf = (id, title, { messages, enums }) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: id,
  title,
  $defs: Object.fromEntries(Object.entries(messages).map(([name, fields]) => [name, objectSchema(fields, enums)])),
});
function objectSchema(fields, enums) {
  const required = fields.filter((field) => field.required).map((field) => field.json);
  const choices = fields.filter((field) => field.oneof).map((field) => ({ required: [field.json] }));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.json, fieldSchema(field, enums)])),
    additionalProperties: false,
    ...(required.length ? { required } : {}),
    // Every oneof of the protocol is the main content of its message, so exactly one member is required.
    ...(choices.length ? { oneOf: choices } : {}),
  };
}

function fieldSchema(field, enums) {
  // The released text does not define the member, so a peer may write any value there. The reader drops null.
  if (field.draft) return { $comment: field.draft, not: { type: "null" } };
  const value = valueSchema(field, enums);
  if (field.map) return { type: "object", additionalProperties: value };
  if (field.repeated) {
    return { type: "array", items: value, ...(field.required === "non-empty" ? { minItems: 1 } : {}) };
  }
  return value;
}

function valueSchema({ kind, required, repeated, map }, enums) {
  switch (kind) {
    case "string":
      // In protobuf the empty string means "not set", so an empty REQUIRED string is missing.
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
