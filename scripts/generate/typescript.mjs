// The field table as TypeScript: the types of the model, and the table itself.

/** The first line of a generated module. */
export const header = (source) => `// Generated from ${source} by \`npm run generate\`. Do not edit.\n`;

const tsKind = {
  string: "string",
  bool: "boolean",
  int32: "number",
  // ProtoJSON writes 64-bit integers as strings, because JSON numbers lose digits.
  int64: "string",
  bytes: "string",
  timestamp: "string",
  struct: "JsonObject",
  value: "JsonValue",
};
const tsType = (field) => {
  const type = tsKind[field.kind] ?? field.kind;
  return field.map ? `Record<string, ${type}>` : field.repeated ? `${type}[]` : type;
};

export function modelOf(header, { messages, enums }) {
  const json = Object.values(messages).some((fields) => fields.some(({ kind }) => kind === "value"))
    ? "JsonObject, JsonValue"
    : "JsonObject";
  return [
    header,
    `import type { ${json} } from "../json.ts";\n`,
    ...Object.entries(enums).map(
      ([name, values]) =>
        `export type ${name} =\n${Object.keys(values)
          .map((value) => `  | "${value}"`)
          .join("\n")};\n`,
    ),
    ...Object.entries(messages).map(([name, fields]) =>
      fields.length
        ? `export interface ${name} {\n${fields.map((field) => `  ${field.json}${field.required ? "" : "?"}: ${tsType(field)};`).join("\n")}\n}\n`
        : `export type ${name} = Record<string, never>;\n`,
    ),
    `/** Every message of the model by its name. */\nexport interface Messages {\n${Object.keys(messages)
      .map((name) => `  ${name}: ${name};`)
      .join("\n")}\n}\n`,
  ].join("\n");
}

export const fieldTableOf = (header, { messages, enums }, model) =>
  [
    header,
    'import type { Field } from "../schemas/field.ts";',
    `import type { Messages } from "./${model}";\n`,
    `export const enums: Record<string, Record<string, number>> = ${JSON.stringify(enums, null, 2)};\n`,
    `export const messages: Record<keyof Messages, readonly Field[]> = {\n${Object.entries(messages)
      .map(
        ([name, fields]) => `  ${name}: [\n${fields.map((field) => `    ${JSON.stringify(field)},`).join("\n")}\n  ],`,
      )
      .join("\n")}\n};\n`,
  ].join("\n");
