import { isObject } from "../json.ts";
import type { Violation } from "../schemas/validate.ts";
import { stepOf } from "./place.ts";

/** What Ajv's generated code notes of an error, as far as we read it. */
export interface CheckError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Every wrong place once, in words. The document is walked again for what stood there: the errors do not quote it. */
export function violationsOf(errors: readonly CheckError[], json: unknown): Violation[] {
  const seen = new Map<string, Violation>();
  for (const error of errors) {
    const { path, value } = locate(error.instancePath, json);
    const violation = describe(error, path, value, errors);
    if (violation) seen.set(`${violation.path} ${violation.message}`, violation);
  }
  return [...seen.values()];
}

function describe(
  { keyword, params, schemaPath, instancePath }: CheckError,
  path: string,
  value: unknown,
  errors: readonly CheckError[],
): Violation | undefined {
  // The branches of a oneOf each miss their own member; the oneOf itself says it better.
  if (/\/oneOf\/\d+\//.test(schemaPath)) return undefined;
  switch (keyword) {
    case "required":
      return { path: path + stepOf(params["missingProperty"] as string), message: "is required and missing" };
    case "additionalProperties":
      return { path: path + stepOf(params["additionalProperty"] as string), message: "unknown member" };
    case "discriminator": {
      const tag = params["tag"] as string;
      // A tag that is missing has been named by `required`.
      if (params["tagValue"] === undefined) return undefined;
      return { path: path + stepOf(tag), message: `${brief(params["tagValue"])} is no ${tag} of this dialect` };
    }
    case "oneOf": {
      if (!isObject(value)) return undefined;
      const branches = errors.filter(
        (other) => other.instancePath === instancePath && other.schemaPath.startsWith(`${schemaPath}/`),
      );
      const names = branches.map((branch) => branch.params["missingProperty"]).join(", ");
      if (params["passingSchemas"] !== null) return { path, message: "has two members of which it may have only one" };
      return { path, message: `needs exactly one of ${names}, has none` };
    }
    case "const":
      return { path, message: `expected ${brief(params["allowedValue"])}, got ${brief(value)}` };
    case "enum":
      return {
        path,
        message: `expected one of ${(params["allowedValues"] as string[]).join(", ")}, got ${brief(value)}`,
      };
    case "type":
      return { path, message: `expected ${typeNames([params["type"]].flat() as string[])}, got ${brief(value)}` };
    case "format":
      return { path, message: `expected ${formatNames[params["format"] as string]}, got ${brief(value)}` };
    case "minLength":
      return { path, message: "is required and must not be empty" };
    case "minItems":
      return { path, message: "needs at least one element" };
    case "not":
    case "false schema":
      return { path, message: "does not exist in this release of the protocol" };
    case "if":
      // Its `then` or `else` has said what is wrong.
      return undefined;
    default:
      return { path, message: `breaks ${keyword} ${JSON.stringify(params)}, got ${brief(value)}` };
  }
}

const formatNames: Record<string, string> = {
  base64: "base64",
  timestamp: 'an ISO 8601 timestamp such as "2025-08-01T08:00:02Z"',
  "utc-timestamp": 'an ISO 8601 timestamp in UTC such as "2025-08-01T08:00:02Z"',
};

const typeNames = (types: string[]): string =>
  types.map((type) => (type === "null" ? type : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");

function brief(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `/message/parts/0` → `$.message.parts[0]`. The document tells an index from a map's key that is a number. */
function locate(pointer: string, json: unknown): { path: string; value: unknown } {
  let path = "$";
  let value = json;
  for (const escaped of pointer.split("/").slice(1)) {
    const step = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    path += stepOf(Array.isArray(value) ? Number(step) : step);
    value = (value as Record<string, unknown>)[step];
  }
  return { path, value };
}
