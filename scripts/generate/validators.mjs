// Ajv's validators as source code, so that a server or a command line that starts compiles nothing.
import { _, Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";

/**
 * The text of a module with one validator per definition of the schema. `thorough` collects every error with its
 * place; the other kind stops at the first and only says yes or no.
 */
export function validatorsFor(schema, { thorough }) {
  const ajv = ajvWith({ allErrors: thorough, messages: false }, ["base64", "utc-timestamp"]);
  const ids = definitionsInto(ajv, schema);
  return moduleOf(ajv, Object.fromEntries(ids), "../schemas/formats.ts");
}

/**
 * One module for several schemas that refer to each other, so that what they share is compiled once. Its
 * validators collect every error. They stand in one table, by the $id of the schema and the name of the definition.
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

/** Adds every definition as a schema of its own: Ajv compiles those once, but `$defs` once per document that refers to them. */
function definitionsInto(ajv, { $id, $defs }) {
  return Object.entries($defs).map(([name, definition]) => {
    const id = `${$id}.${name}`;
    // Ajv compiles all `false` schemas into one function, and then prints it once for each.
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

/** `oneOf` of nothing but required members becomes `exactlyOne`, whose error can name the members. */
const withChoices = (definition) =>
  JSON.parse(JSON.stringify(definition), (_member, value) => {
    const choices = value?.oneOf?.map((choice) => (Object.keys(choice).join() === "required" ? choice.required : []));
    if (!choices?.every((required) => required.length === 1)) return value;
    const { oneOf, ...rest } = value;
    return { ...rest, exactlyOne: choices.flat() };
  });

/** Of the members named, an object has one and no more. */
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
    // One function per definition, called by the others, instead of copies of it in each.
    inlineRefs: false,
    // Counts code units in minLength: we only ever ask for one, and the alternative is an import of Ajv's.
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
    // Ajv copies all errors so far for each part that has some: a list with 40,000 wrong elements would take minutes.
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
