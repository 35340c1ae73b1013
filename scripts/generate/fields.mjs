// Builds the field table of a protobuf package, for tolerant reading, signing and the JSON Schema.

const scalars = {
  TYPE_STRING: "string",
  TYPE_BOOL: "bool",
  TYPE_INT32: "int32",
  TYPE_INT64: "int64",
  TYPE_BYTES: "bytes",
};
const wellKnown = {
  ".google.protobuf.Struct": "struct",
  ".google.protobuf.Value": "value",
  ".google.protobuf.Timestamp": "timestamp",
};
const short = (typeName) => typeName.split(".").at(-1);

/** Messages and enums of one file of a buf image. `required` and `drafts` are the tables beside the .proto. */
export function tablesOf(file, required, drafts = {}) {
  const draftOf = draftsByMember(file, drafts);
  const messages = Object.fromEntries(
    file.messageType.map((message) => [message.name, fieldsOf(message, required[message.name] ?? [], draftOf)]),
  );
  const enums = Object.fromEntries(
    file.enumType.map((entry) => [
      entry.name,
      Object.fromEntries(entry.value.map((value) => [value.name, value.number ?? 0])),
    ]),
  );
  const unknown = Object.keys(required).filter((name) => !messages[name]);
  if (unknown.length) throw new Error(`required.json of ${file.package} names unknown messages: ${unknown}`);
  return { messages, enums };
}

/** The draft that adds a member, by "Message.member". */
function draftsByMember(file, drafts) {
  const known = new Set(
    file.messageType.flatMap(({ name, field = [] }) => field.map(({ jsonName }) => `${name}.${jsonName}`)),
  );
  const rows = Object.entries(drafts).flatMap(([draft, members]) => members.map((member) => [member, draft]));
  const unknown = rows.filter(([member]) => !known.has(member));
  if (unknown.length) throw new Error(`drafts.json of ${file.package} names unknown members: ${unknown}`);
  return new Map(rows);
}

function fieldsOf(message, required, draftOf) {
  const entries = new Map((message.nestedType ?? []).map((nested) => [nested.name, nested]));
  // "parts+" = required and not empty; "nextPageToken?" = required but may be the empty string.
  const marks = new Map(required.map((mark) => [mark.replace(/[+?]$/, ""), mark.at(-1)]));
  const fields = (message.field ?? []).map((field) => {
    const entry = entries.get(short(field.typeName ?? ""));
    const draft = draftOf.get(`${message.name}.${field.jsonName}`);
    const shape = {
      json: field.jsonName,
      proto: field.name,
      kind: entry ? kindOf(entry.field[1]) : kindOf(field),
      ...(entry ? { map: true } : field.label === "LABEL_REPEATED" ? { repeated: true } : {}),
      ...(field.proto3Optional
        ? { optional: true }
        : field.oneofIndex !== undefined
          ? { oneof: message.oneofDecl[field.oneofIndex].name }
          : {}),
      ...(draft && { draft }),
    };
    const mark = marks.get(field.jsonName);
    marks.delete(field.jsonName);
    return mark === undefined
      ? shape
      : { ...shape, required: mark === "+" ? "non-empty" : mark === "?" ? "may-be-empty" : "present" };
  });
  if (marks.size)
    throw new Error(`required.json names members that ${message.name} does not have: ${[...marks.keys()]}`);
  return fields;
}

function kindOf(field) {
  if (field.type === "TYPE_MESSAGE") return wellKnown[field.typeName] ?? short(field.typeName);
  if (field.type === "TYPE_ENUM") return short(field.typeName);
  const kind = scalars[field.type];
  if (!kind) throw new Error(`${field.name}: the type ${field.type} is new here; teach scripts/generate/fields.mjs`);
  return kind;
}
