// Derives from our .proto what the code needs of it: the protobuf classes (for gRPC, and as a second oracle
// in tests), the types of the model, the field table that drives tolerant reading and signing, the JSON Schema,
// and the validators.
// Run by hand after a change of the .proto: `npm run generate`. The result is committed.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemaOf } from "./generate/json-schema.mjs";
import { validatorsFor } from "./generate/validators.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const protocol = join(root, "packages/protocol");
const buf = (...args) =>
  execFileSync(join(root, "node_modules/.bin/buf"), args, {
    cwd: protocol,
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    maxBuffer: 64 * 1024 * 1024,
  });

buf("generate");
const image = JSON.parse(buf("build", "-o", "-#format=json").toString());
const file = image.file.find((entry) => entry.package === "lf.a2a.v1");
const required = JSON.parse(readFileSync(join(protocol, "proto/lf/a2a/v1/required.json"), "utf8"));

const scalars = { TYPE_STRING: "string", TYPE_BOOL: "bool", TYPE_INT32: "int32", TYPE_BYTES: "bytes" };
const wellKnown = {
  ".google.protobuf.Struct": "struct",
  ".google.protobuf.Value": "value",
  ".google.protobuf.Timestamp": "timestamp",
};
const short = (typeName) => typeName.split(".").at(-1);

function kindOf(field) {
  if (field.type === "TYPE_MESSAGE") return wellKnown[field.typeName] ?? short(field.typeName);
  if (field.type === "TYPE_ENUM") return short(field.typeName);
  const kind = scalars[field.type];
  if (!kind) throw new Error(`${field.name}: the type ${field.type} is new here; teach scripts/generate.mjs about it`);
  return kind;
}

function fieldsOf(message) {
  const entries = new Map((message.nestedType ?? []).map((nested) => [nested.name, nested]));
  // "parts+" = required and not empty; "nextPageToken?" = required but may be the empty string.
  const marks = new Map((required[message.name] ?? []).map((mark) => [mark.replace(/[+?]$/, ""), mark.at(-1)]));
  const fields = message.field.map((field) => {
    const entry = entries.get(short(field.typeName ?? ""));
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

const messages = Object.fromEntries(file.messageType.map((message) => [message.name, fieldsOf(message)]));
const enums = Object.fromEntries(
  file.enumType.map((entry) => [
    entry.name,
    Object.fromEntries(entry.value.map((value) => [value.name, value.number ?? 0])),
  ]),
);
const unknown = Object.keys(required).filter((name) => !messages[name]);
if (unknown.length) throw new Error(`required.json names unknown messages: ${unknown}`);

const tsKind = {
  string: "string",
  bool: "boolean",
  int32: "number",
  bytes: "string",
  timestamp: "string",
  struct: "JsonObject",
  value: "JsonValue",
};
const tsType = (field) => {
  const type = tsKind[field.kind] ?? field.kind;
  return field.map ? `Record<string, ${type}>` : field.repeated ? `${type}[]` : type;
};
const header = "// Generated from proto/lf/a2a/v1 by `npm run generate`. Do not edit.\n";

writeFileSync(
  join(protocol, "src/generated/model.ts"),
  [
    header,
    'import type { JsonObject, JsonValue } from "../json.ts";\n',
    ...Object.entries(enums).map(
      ([name, values]) =>
        `export type ${name} =\n${Object.keys(values)
          .map((value) => `  | "${value}"`)
          .join("\n")};\n`,
    ),
    ...Object.entries(messages).map(
      ([name, fields]) =>
        `export interface ${name} {\n${fields.map((field) => `  ${field.json}${field.required ? "" : "?"}: ${tsType(field)};`).join("\n")}\n}\n`,
    ),
    `/** Every message of the model by its name. */\nexport interface Messages {\n${Object.keys(messages)
      .map((name) => `  ${name}: ${name};`)
      .join("\n")}\n}\n`,
  ].join("\n"),
);
writeFileSync(
  join(protocol, "src/generated/fields.ts"),
  [
    header,
    'import type { Field } from "../schemas/field.ts";',
    'import type { Messages } from "./model.ts";\n',
    `export const enums: Record<string, Record<string, number>> = ${JSON.stringify(enums, null, 2)};\n`,
    `export const messages: Record<keyof Messages, readonly Field[]> = {\n${Object.entries(messages)
      .map(
        ([name, fields]) => `  ${name}: [\n${fields.map((field) => `    ${JSON.stringify(field)},`).join("\n")}\n  ],`,
      )
      .join("\n")}\n};\n`,
  ].join("\n"),
);

const schema = schemaOf(messages, enums);
writeFileSync(join(protocol, "schemas/a2a-1.0.json"), `${JSON.stringify(schema, null, 2)}\n`);
for (const [kind, thorough] of Object.entries({ quick: false, thorough: true })) {
  writeFileSync(join(protocol, `src/generated/validators-${kind}.ts`), header + validatorsFor(schema, { thorough }));
}
