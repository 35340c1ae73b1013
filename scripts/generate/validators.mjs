// Ajv's validators as source code, so that a server or a command line that starts compiles nothing.
import { _ } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";

/**
 * The text of a module with one validator per definition of the schema. `thorough` collects every error with
 * its place and what stood there; the other kind stops at the first and only says yes or no.
 */
export function validatorsFor(schema, { thorough }) {
  const ajv = new Ajv2020({
    allErrors: thorough,
    verbose: thorough,
    strict: true,
    strictRequired: false,
    // One function per definition, called by the others, instead of copies of it in each.
    inlineRefs: false,
    // Counts code units in minLength: we only ever ask for one, and the alternative is an import of Ajv's.
    unicode: false,
    logger: false,
    code: { source: true, esm: true, formats: _`formats` },
  });
  for (const format of ["base64", "utc-timestamp"]) ajv.addFormat(format, () => true);
  ajv.addSchema(schema);
  const exported = Object.keys(schema.$defs).map((name) => {
    ajv.addSchema({ $id: `export-${name}`, $ref: `${schema.$id}#/$defs/${name}` });
    return [name, `export-${name}`];
  });
  const code = standalone.default(ajv, Object.fromEntries(exported)).replace('"use strict";', "");
  if (/\brequire\(/.test(code)) throw new Error("the generated validators import something; see scripts/generate/validators.mjs");
  return ["// @ts-nocheck: Ajv wrote this.", 'import { formats } from "../schemas/formats.ts";', code, ""].join("\n");
}
