// Writes Ajv's validators as source code, so that starting a server or a command compiles nothing.
import { _, Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";

/**
 * Returns the text of a module with one validator per definition of the schema. With `thorough` a validator collects
 * every error with its place; otherwise it stops at the first and only returns true or false.
 */
export function validatorsFor(schema, { thorough }) {
  const ajv = ajvWith({ allErrors: thorough, messages: false }, ["base64", "utc-timestamp"]);
  const ids = definitionsInto(ajv, schema);
  return moduleOf(ajv, Object.fromEntries(ids), "../schemas/formats.ts");
}

/**
 * Returns one module for several schemas that refer to each other, so that shared parts are compiled once. Its
 * validators collect every error. A table has them by the $id of the schema and the name of the definition.
 */
export function olderValidatorsFor(schemas, formats) {
  const ajv = ajvWith({ allErrors: true, messages: false, discriminator: true, allowUnionTypes: true }, formats);
  const exported = {};
  const tables = schemas.map((schema) => {
    const rows = definitionsInto(ajv, schema).map(([name, id]) => {
      const check = `check${Object.keys(exported).length}`;
      exported[check] = id;
      return `${JSON.stringify(name)}: ${check}`;
    });
    return `${JSON.stringify(schema.$id)}: { ${rows.join(", ")} }`;
  });
  const code = moduleOf(ajv, exported, "../dialects/formats.ts").replaceAll(/\bexport const (check\d+)/g, "const $1");
  return `${code}export const validators = { ${tables.join(", ")} };\n`;
}

/**
 * Adds every definition as a separate schema. Ajv compiles those once, but `$defs` once per document that refers to
 * them.
 */
function definitionsInto(ajv, { $id, $defs }) {
  return Object.entries($defs).map(([name, definition]) => {
    const id = `${$id}.${name}`;
    // Ajv compiles all `false` schemas into one function, but prints it once for each.
    const schema = definition === false ? { not: {} } : withChoices(withPlainRefs(definition, $id));
    ajv.addSchema({ $id: id, ...schema });
    return [name, id];
  });
}

const withPlainRefs = (definition, $id) =>
  JSON.parse(JSON.stringify(definition), (member, value) =>
    member === "$ref"
      ? value.replace(/^(.*)#\/\$defs\/(.*)$/, (_all, other, name) => `${other || $id}.${name}`)
      : value,
  );

/** Converts a `oneOf` of single required members to `exactlyOne`, whose error can name the members. */
const withChoices = (definition) =>
  JSON.parse(JSON.stringify(definition), (_member, value) => {
    const choices = value?.oneOf?.map((choice) => (Object.keys(choice).join() === "required" ? choice.required : []));
    if (!choices?.every((required) => required.length === 1)) return value;
    const { oneOf, ...rest } = value;
    return { ...rest, exactlyOne: choices.flat() };
  });

/** Requires exactly one of the named members. */
const exactlyOne = {
  keyword: "exactlyOne",
  type: "object",
  schemaType: "array",
  error: { params: ({ schemaCode }) => _`{ choices: ${schemaCode} }` },
  code(cxt) {
    const isThere = cxt.schema.map((name) => _`(${cxt.data}[${name}] !== undefined)`);
    cxt.fail(_`${isThere.reduce((sum, each) => _`${sum} + ${each}`)} !== 1`);
  },
};

function ajvWith(options, formats) {
  const ajv = new Ajv({
    strict: true,
    strictRequired: false,
    // Generate one function per definition, and calls to it, instead of copies.
    inlineRefs: false,
    // Count code units in minLength. Only length 1 is ever required, and counting characters would import Ajv.
    unicode: false,
    logger: false,
    code: { source: true, esm: true, formats: _`formats` },
    ...options,
  });
  ajv.addKeyword(exactlyOne);
  for (const format of formats) ajv.addFormat(format, () => true);
  return ajv;
}

function moduleOf(ajv, exported, formats) {
  const code = standalone
    .default(ajv, exported)
    .replace('"use strict";', "")
    // Ajv copies all previous errors for each part with errors, so a list with 40,000 wrong elements would take
    // minutes.
    .replaceAll(/vErrors\.concat\((\w+\.errors)\)/g, "joined(vErrors, $1)");
  if (/\brequire\(/.test(code))
    throw new Error("the generated validators import something; see scripts/generate/validators.mjs");
  const joined = "const joined = (all, more) => { for (const each of more) all.push(each); return all; };";
  return [
    "// @ts-nocheck: Ajv wrote this.",
    `import { formats } from "${formats}";`,
    ...(code.includes("joined(") ? [joined] : []),
    code,
    "",
  ].join("\n");
}
