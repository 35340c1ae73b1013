import { isObject } from "../json.ts";
import { stepOf } from "../json-path.ts";
import type { Violation, ViolationCode } from "./violation.ts";

/** The members of an Ajv error that we read. */
export interface AjvError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Returns each invalid place once. It looks up the actual value in the document, because Ajv errors do not quote it.
 */
export function violationsOf(errors: readonly AjvError[], json: unknown): Violation[] {
  const seen = new Map<string, Violation>();
  for (const error of errors) {
    const { path, value } = locate(error.instancePath, json);
    const found = faultOf(error, value);
    if (!found) continue;
    const { member, ...fault } = found;
    const violation: Violation = {
      path: member === undefined ? path : path + stepOf(member),
      message: quoting.has(fault.code) ? `${fault.demand}, got ${brief(fault.got)}` : fault.demand,
      ...fault,
    };
    seen.set(`${violation.path} ${violation.message}`, violation);
  }
  return [...seen.values()];
}

type Fault = Omit<Violation, "path" | "message"> & {
  /** the invalid member, if the error names its object */
  readonly member?: string;
};

/** Codes whose message includes the actual value. */
const quoting: ReadonlySet<ViolationCode> = new Set(["null", "wrong-type", "unknown-value", "format", "out-of-range"]);

/** Translates an Ajv error by its schema keyword. Returns undefined if another error describes it better. */
function faultOf({ keyword, params }: AjvError, got: unknown): Fault | undefined {
  const unlessNull = (code: ViolationCode): ViolationCode => (got === null ? "null" : code);
  switch (keyword) {
    case "required":
      return { code: "missing", member: params["missingProperty"] as string, demand: "is required and missing" };
    case "additionalProperties": {
      const member = params["additionalProperty"] as string;
      return {
        code: "unknown-member",
        member,
        demand: "unknown member",
        got: (got as Record<string, unknown>)[member],
      };
    }
    case "discriminator": {
      const { tag, tagValue } = params as { tag: string; tagValue?: unknown };
      // `required` has already reported a missing tag.
      if (tagValue === undefined) return undefined;
      const code = tagValue === null ? "null" : "unknown-value";
      return { code, member: tag, demand: `expected a ${tag} of this version`, got: tagValue };
    }
    case "exactlyOne": {
      const expected = params["choices"] as string[];
      const present = expected.filter((name) => isObject(got) && got[name] !== undefined);
      const demand = `needs exactly one of ${expected.join(", ")}, has ${present.join(" and ") || "none"}`;
      return { code: present.length ? "several-of" : "none-of", demand, expected, got };
    }
    case "const": {
      const value = brief(params["allowedValue"]);
      return { code: unlessNull("unknown-value"), demand: `expected ${value}`, expected: [value], got };
    }
    case "enum": {
      const expected = params["allowedValues"] as string[];
      return { code: unlessNull("unknown-value"), demand: `expected one of ${expected.join(", ")}`, expected, got };
    }
    case "type": {
      const expected = [params["type"]].flat() as string[];
      return { code: unlessNull("wrong-type"), demand: `expected ${typeNames(expected)}`, expected, got };
    }
    case "format": {
      const format = params["format"] as string;
      return { code: "format", demand: `expected ${formatNames[format] ?? format}`, expected: [format], got };
    }
    case "minimum":
    case "maximum": {
      const range = `${params["comparison"]} ${params["limit"]}`;
      return { code: "out-of-range", demand: `expected a number ${range}`, expected: [range], got };
    }
    case "minLength":
      return { code: "empty", demand: "is required and must not be empty", got };
    case "minItems":
      return { code: "too-few", demand: "needs at least one element", got };
    case "not":
    case "false schema":
      return { code: "not-in-release", demand: "does not exist in this release of the protocol", got };
    case "if":
      // The error of its `then` or `else` says what is wrong.
      return undefined;
    default:
      throw new TypeError(`Unknown schema keyword "${keyword}". Add a violation code for it here.`);
  }
}

const formatNames: Readonly<Record<string, string>> = {
  base64: "base64",
  timestamp: 'an ISO 8601 timestamp such as "2026-03-12T09:30:00.000Z"',
  "utc-timestamp": 'an ISO 8601 timestamp in UTC such as "2026-03-12T09:30:00.000Z"',
};

const typeNames = (types: readonly string[]): string =>
  types.map((type) => (type === "null" ? type : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");

function brief(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `/message/parts/0` → `$.message.parts[0]`. The document shows whether a number is an index or a map key. */
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
