import type { Messages } from "../generated/model.ts";
import * as quick from "../generated/validators-quick.ts";
import * as thorough from "../generated/validators-thorough.ts";
import { isObject } from "../json.ts";
import { normalise } from "./normalise.ts";

export { normalise };

/** One wrong place in a document. */
export interface Violation {
  /** as in `$.message.parts[0].text` */
  readonly path: string;
  readonly message: string;
}

/**
 * Two validators of the same schema: `quick` stops at the first error and only says yes or no (the hot path of
 * the server), `thorough` collects every error with its place. Both were compiled when the code was generated.
 */
const quickFor = quick as Record<keyof Messages, Validator>;
const thoroughFor = thorough as Record<keyof Messages, Validator>;

type Validator = ((json: unknown) => boolean) & { errors?: AjvError[] | null };

/** What Ajv's generated code notes of an error, as far as we read it. */
interface AjvError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Record<string, string>;
  readonly message?: string;
  readonly schema?: unknown;
  readonly data?: unknown;
}

/** Strict: every place where `json` is not what a 1.0 peer must write. Unknown members count. */
export function validate(message: keyof Messages, json: unknown): Violation[] {
  const validator = thoroughFor[message];
  if (validator(json)) return [];
  const errors = validator.errors ?? [];
  return errors.filter(isTelling).map((error) => violationOf(error, json));
}

/**
 * Tolerant: the value in our spelling, or every violation that remains after ProtoJSON's liberties.
 * What is already canonical is returned as it came, without a copy.
 */
export function read<M extends keyof Messages>(message: M, json: unknown): ReadResult<Messages[M]> {
  const fits = quickFor[message];
  if (fits(json)) return { value: json as Messages[M] };
  const normal = normalise(message, json);
  if (fits(normal)) return { value: normal as Messages[M] };
  return { violations: validate(message, normal) };
}

/**
 * The branches of a oneOf each complain about their own missing member; the oneOf itself says it better.
 * Of what is no object, the wrong type is all there is to say.
 */
const isTelling = (error: AjvError): boolean =>
  !/\/oneOf\/\d+\//.test(error.schemaPath) && (error.keyword !== "oneOf" || isObject(error.data));

export type ReadResult<T> = { value: T; violations?: never } | { value?: never; violations: Violation[] };

function violationOf(error: AjvError, json: unknown): Violation {
  const path = pathOf(error.instancePath, json);
  switch (error.keyword) {
    case "required":
      return { path: memberOf(path, error.params["missingProperty"]!), message: "is required and missing" };
    case "additionalProperties":
      return { path: memberOf(path, error.params["additionalProperty"]!), message: "unknown member" };
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
