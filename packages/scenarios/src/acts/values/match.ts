import { isObject, type JsonValue } from "@assay/protocol";
import type { Expectation, Operator, SourcePlace } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";

/** A place where a value differs from the expectation. */
export interface Mismatch {
  /** such as `task.status.state`; empty for the whole value */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  readonly at: SourcePlace;
}

export interface Matching {
  /** replaces the variables in a value of the file */
  readonly fill: (value: JsonValue) => JsonValue;
  /** called with the applied rules */
  readonly apply?: (rule: QuirkRule) => void;
}

/** Compares a value with its expectation; undefined means absent. Returns every difference. */
export function mismatches(
  expectation: Expectation,
  value: JsonValue | undefined,
  matching: Matching,
  path = "",
): Mismatch[] {
  const { at } = expectation;
  switch (expectation.is) {
    case "value": {
      const wanted = matching.fill(expectation.value);
      return same(wanted, value) ? [] : [{ path, expected: shown(wanted), actual: shown(value), at }];
    }
    case "list": {
      if (!Array.isArray(value))
        return [{ path, expected: `a list of at least ${expectation.items.length}`, actual: shown(value), at }];
      return expectation.items.flatMap((item, index) => mismatches(item, value[index], matching, `${path}[${index}]`));
    }
    case "shape": {
      const operators = expectation.operators.flatMap((operator) => violated(operator, value, matching, path, at));
      if (operators.length) return operators;
      if (expectation.members.length && value !== undefined && !isObject(value))
        return [{ path, expected: "an object", actual: shown(value), at }];
      return expectation.members.flatMap(([name, member]) =>
        mismatches(member, memberOf(value, name, matching), matching, path ? `${path}.${name}` : name),
      );
    }
  }
}

function violated(
  operator: Operator,
  value: JsonValue | undefined,
  matching: Matching,
  path: string,
  at: SourcePlace,
): Mismatch[] {
  const unless = (fits: boolean, expected: string): Mismatch[] =>
    fits ? [] : [{ path, expected, actual: shown(value), at }];
  const text = (raw: string): string => String(matching.fill(raw));
  const isText = typeof value === "string";
  switch (operator.op) {
    case "type":
      return unless(typeOf(value) === operator.value, `a value of type ${operator.value}`);
    case "exists":
      return unless(value !== undefined, "that it exists");
    case "absent":
      return unless(value === undefined, "that it is absent");
    case "contains":
      return unless(
        isText && value.includes(text(operator.value)),
        `a text that contains ${shown(text(operator.value))}`,
      );
    case "starts_with":
      return unless(
        isText && value.startsWith(text(operator.value)),
        `a text that starts with ${shown(text(operator.value))}`,
      );
    case "ends_with":
      return unless(
        isText && value.endsWith(text(operator.value)),
        `a text that ends with ${shown(text(operator.value))}`,
      );
    case "matches":
      return unless(
        isText && new RegExp(text(operator.value)).test(value),
        `a text that matches /${text(operator.value)}/`,
      );
    case "gte":
      return unless(typeof value === "number" && value >= operator.value, `a number that is ${operator.value} or more`);
    case "lte":
      return unless(typeof value === "number" && value <= operator.value, `a number that is ${operator.value} or less`);
    case "gt":
      return unless(typeof value === "number" && value > operator.value, `a number above ${operator.value}`);
    case "lt":
      return unless(typeof value === "number" && value < operator.value, `a number below ${operator.value}`);
    case "count":
      return unless(Array.isArray(value) && value.length === operator.value, `a list of ${operator.value}`);
    case "count_gte":
      return unless(Array.isArray(value) && value.length >= operator.value, `a list of ${operator.value} or more`);
    case "count_lte":
      return unless(Array.isArray(value) && value.length <= operator.value, `a list of ${operator.value} or fewer`);
    case "all_of":
      return operator.of.flatMap((each) => mismatches(each, value, matching, path));
    case "one_of":
    case "any_of":
      return unless(
        operator.of.some((each) => mismatches(each, value, matching, path).length === 0),
        `one of: ${operator.of.map((each) => describe(each, matching)).join(" | ")}`,
      );
    case "not":
      return unless(
        mismatches(operator.of, value, matching, path).length > 0,
        `anything but ${describe(operator.of, matching)}`,
      );
    case "items":
      if (!Array.isArray(value)) return unless(false, "a list");
      return value.flatMap((each, index) => mismatches(operator.of, each, matching, `${path}[${index}]`));
  }
}

/** Returns a member; for a part also in the ACTS spelling of files (rule `file-parts`). */
function memberOf(value: JsonValue | undefined, name: string, { apply }: Matching): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name] as JsonValue;
  const isFile = name === "file" && ("raw" in value || "url" in value);
  const isFileUrl = name === "fileUrl" && "url" in value;
  if (!isFile && !isFileUrl) return undefined;
  apply?.("file-parts");
  const { raw, url, filename, mediaType } = value as Record<string, JsonValue>;
  const members = { raw, url, name: filename, mediaType };
  return Object.fromEntries(Object.entries(members).filter(([, each]) => each !== undefined)) as JsonValue;
}

function typeOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function same(a: JsonValue, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.length &&
    left.every(
      ([name, each]) => Object.hasOwn(b, name) && same(each as JsonValue, (b as Record<string, JsonValue>)[name]),
    )
  );
}

/** Describes an expectation briefly, close to how it is written. */
export function describe(expectation: Expectation, matching: Matching): string {
  switch (expectation.is) {
    case "value":
      return shown(matching.fill(expectation.value));
    case "list":
      return `[${expectation.items.map((each) => describe(each, matching)).join(", ")}]`;
    case "shape": {
      const operators = expectation.operators.map((operator) =>
        "value" in operator
          ? `${operator.op} ${shown(operator.value)}`
          : "of" in operator
            ? `${operator.op} ${[operator.of]
                .flat()
                .map((each) => describe(each, matching))
                .join(" | ")}`
            : operator.op,
      );
      const members = expectation.members.map(([name, member]) => `${name}: ${describe(member, matching)}`);
      return `{${[...operators, ...members].join(", ")}}`;
    }
  }
}

const shown = (value: JsonValue | undefined): string => {
  if (value === undefined) return "nothing (it is absent)";
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
};
