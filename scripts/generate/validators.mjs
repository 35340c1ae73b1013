// Ajv's validators as source code, so that a server or a command line that starts compiles nothing.
import { _, Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";

/**
 * The text of a module with one validator per definition of the schema. `thorough` collects every error with
 * its place and what stood there; the other kind stops at the first and only says yes or no.
 */
export function validatorsFor(schema, { thorough }) {
  const ajv = ajvWith({ allErrors: thorough, verbose: thorough }, ["base64", "utc-timestamp"]);
  const ids = definitionsInto(ajv, schema);
  return moduleOf(ajv, Object.fromEntries(ids), "../schemas/formats.ts");
}

/**
 * One module for several schemas that refer to each other, so that what they share is compiled once. Its
 * validators collect every error, but quote neither schema nor document in them, which halves the code. They
 * stand in one table, by the $id of the schema and the name of the definition.
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
    const schema = definition === false ? { not: {} } : withPlainRefs(definition, $id);
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
  for (const format of formats) ajv.addFormat(format, () => true);
  return ajv;
}

function moduleOf(ajv, exported, formats) {
  const code = standalone.default(ajv, exported).replace('"use strict";', "");
  if (/\brequire\(/.test(code))
    throw new Error("the generated validators import something; see scripts/generate/validators.mjs");
  return ["// @ts-nocheck: Ajv wrote this.", `import { formats } from "${formats}";`, code, ""].join("\n");
}
