import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Messages } from "../generated/model.ts";
import { isObject } from "../json.ts";
import { buildSchema } from "./build.ts";
import { isBase64, isUtcTimestamp } from "./formats.ts";
import { normalise } from "./normalise.ts";

export { normalise };

/** One wrong place in a document. */
export interface Violation {
  /** as in `$.message.parts[0].text` */
  readonly path: string;
  readonly message: string;
}

/**
 * Two compilations of the same schema: one stops at the first error and only says yes or no (the hot path
 * of the server), the other collects every error with its place. Both are compiled on first use.
 */
const compilers = { quick: compiler(false), thorough: compiler(true) };

function compiler(allErrors: boolean): (message: keyof Messages) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<keyof Messages, ValidateFunction>();
  return (message) => {
    let validator = compiled.get(message);
    if (!validator) {
      if (!ajv) {
        ajv = new Ajv2020({ allErrors, verbose: allErrors, strict: true, strictRequired: false });
        ajv.addFormat("base64", isBase64);
        ajv.addFormat("utc-timestamp", isUtcTimestamp);
        ajv.addSchema(buildSchema());
      }
      validator = ajv.compile({ $ref: `a2a-1.0#/$defs/${message}` });
      compiled.set(message, validator);
    }
    return validator;
  };
}

/** Strict: every place where `json` is not what a 1.0 peer must write. Unknown members count. */
export function validate(message: keyof Messages, json: unknown): Violation[] {
  const validator = compilers.thorough(message);
  if (validator(json)) return [];
  const errors = validator.errors ?? [];
  return errors.filter(isTelling).map((error) => violationOf(error, json));
}

/**
 * Tolerant: the value in our spelling, or every violation that remains after ProtoJSON's liberties.
 * What is already canonical is returned as it came, without a copy.
 */
export function read<M extends keyof Messages>(message: M, json: unknown): ReadResult<Messages[M]> {
  const fits = compilers.quick(message);
  if (fits(json)) return { value: json as Messages[M] };
  const normal = normalise(message, json);
  if (fits(normal)) return { value: normal as Messages[M] };
  return { violations: validate(message, normal) };
}

/**
 * The branches of a oneOf each complain about their own missing member; the oneOf itself says it better.
 * Of what is no object, the wrong type is all there is to say.
 */
const isTelling = (error: ErrorObject): boolean =>
  !/\/oneOf\/\d+\//.test(error.schemaPath) && (error.keyword !== "oneOf" || isObject(error.data));

export type ReadResult<T> = { value: T; violations?: never } | { value?: never; violations: Violation[] };

function violationOf(error: ErrorObject, json: unknown): Violation {
  const path = pathOf(error.instancePath, json);
  switch (error.keyword) {
    case "required":
      return { path: memberOf(path, error.params["missingProperty"]), message: "is required and missing" };
    case "additionalProperties":
      return { path: memberOf(path, error.params["additionalProperty"]), message: "unknown member" };
    case "oneOf": {
      const choices = (error.schema as { required: string[] }[]).map((choice) => choice.required[0]!);
      const present = choices.filter((name) => (error.data as Record<string, unknown>)[name] !== undefined);
      return { path, message: `needs exactly one of ${choices.join(", ")}, has ${present.join(" and ") || "none"}` };
    }
    case "enum":
      return { path, message: `expected one of ${(error.schema as string[]).join(", ")}, got ${brief(error.data)}` };
    case "type":
      return { path, message: `expected ${article(error.schema as string)}, got ${brief(error.data)}` };
    case "format":
      return {
        path,
        message: `expected ${formatNames[error.schema as string] ?? error.schema}, got ${brief(error.data)}`,
      };
    case "minLength":
      return { path, message: "is required and must not be empty" };
    case "minItems":
      return { path, message: "needs at least one element" };
    default:
      return { path, message: `${error.message}, got ${brief(error.data)}` };
  }
}

const formatNames: Record<string, string> = {
  base64: "base64",
  "utc-timestamp": 'an ISO 8601 timestamp in UTC such as "2026-03-12T09:30:00.000Z"',
};

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

function brief(data: unknown): string {
  if (Array.isArray(data)) return "an array";
  if (typeof data === "object" && data !== null) return "an object";
  const text = JSON.stringify(data) ?? String(data);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `/message/parts/0` → `$.message.parts[0]`. The document tells an index from a map's key that is a number. */
function pathOf(pointer: string, json: unknown): string {
  let path = "$";
  let holder = json;
  for (const escaped of pointer.split("/").slice(1)) {
    const step = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    path = Array.isArray(holder) ? `${path}[${step}]` : memberOf(path, step);
    holder = (holder as Record<string, unknown>)[step];
  }
  return path;
}

const memberOf = (path: string, name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
