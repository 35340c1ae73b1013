import type { JsonValue } from "@assay/protocol";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { type Expectation, jsonTypes, type Operator } from "../model.ts";
import type { ActsPage } from "./page.ts";

const texts = ["contains", "matches", "starts_with", "ends_with"] as const;
const numbers = ["gte", "lte", "gt", "lt"] as const;
const counts = ["count", "count_gte", "count_lte"] as const;
const several = ["one_of", "all_of", "any_of"] as const;

/** Names that are operators if their value fits one. */
const operatorNames: readonly string[] = [
  "type",
  "exists",
  "absent",
  ...texts,
  ...numbers,
  ...counts,
  ...several,
  "not",
  "items",
];

/**
 * Reads the expectation of a value: a bare value, elements by position, or a map of operators and members.
 */
export function readExpectation(page: ActsPage, node: Node): Expectation {
  const at = page.at(node);
  if (isSeq(node))
    return { is: "list", items: (page.elements(node) ?? []).map((each) => readExpectation(page, each)), at };
  if (!isMap(node)) return { is: "value", value: scalarOf(page, node), at };
  const operators: Operator[] = [];
  const members: [string, Expectation][] = [];
  const entries = [...(page.members(node) ?? [])];
  // A member may be named `items` too; beside array operators it is one.
  const isArray = entries.some(([name, { value }]) => name.startsWith("count") || page.text(value) === "array");
  for (const [name, { value }] of entries) {
    const operator = operatorNames.includes(name) ? readOperator(page, name, value, isArray) : undefined;
    if (operator === "wrong") continue;
    if (operator) operators.push(operator);
    else members.push([name, name === "protocolBinding" ? readBinding(page, value) : readExpectation(page, value)]);
  }
  return { is: "shape", operators, members, at };
}

/**
 * Returns the operator; undefined if the name is a member, because its value is a map or a list that fits no
 * operator.
 */
function readOperator(page: ActsPage, name: string, value: Node, isArray: boolean): Operator | "wrong" | undefined {
  const list = several.find((each) => each === name);
  if (list) return readList(page, list, value);
  if (name === "not") return { op: "not", of: readExpectation(page, value) };
  if (name === "items") {
    if (!isArray) return undefined;
    page.apply("items-of-an-array", value);
    const of = readExpectation(page, value);
    // A list of expectations applies to the elements at its positions, as lists do everywhere.
    return of.is === "list" ? { op: "all_of", of: [of] } : { op: "items", of };
  }
  // `type: {type: string}` is a member named "type".
  if (!isScalar(value)) return undefined;
  return readPlain(page, name, value);
}

function readList(page: ActsPage, op: (typeof several)[number], value: Node): Operator | "wrong" {
  const elements = page.elements(value);
  if (!elements?.length) {
    page.wrong(value, `${op}: expected a list with at least one entry, found ${page.shown(value)}`);
    return "wrong";
  }
  for (const each of elements) if (op === "one_of" && isMap(each)) page.apply("one-of-patterns", each);
  return { op, of: elements.map((each) => readExpectation(page, each)) };
}

function readPlain(page: ActsPage, name: string, node: Node): Operator | "wrong" {
  const value = page.json(node);
  const wrong = (expected: string): "wrong" => {
    page.wrong(node, `${name}: expected ${expected}, found ${page.shown(node)}`);
    return "wrong";
  };
  if (name === "type") {
    const type = jsonTypes.find((each) => each === value);
    return type ? { op: "type", value: type } : wrong(`one of ${jsonTypes.join(", ")}`);
  }
  if (name === "exists" || name === "absent") return value === true ? { op: name } : wrong("true");
  const text = texts.find((each) => each === name);
  if (text) {
    if (typeof value !== "string") return wrong("a text");
    if (text === "matches" && !isPattern(value)) return wrong("an ECMA-262 regular expression");
    return { op: text, value };
  }
  const number = numbers.find((each) => each === name);
  if (number) return typeof value === "number" ? { op: number, value } : wrong("a number");
  const count = counts.find((each) => each === name)!;
  return typeof value === "number" && Number.isInteger(value) ? { op: count, value } : wrong("a whole number");
}

function isPattern(text: string): boolean {
  // With a variable, it is known only at run time.
  if (text.includes("{{")) return true;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** Rule `rest-is-http-json`. */
function readBinding(page: ActsPage, node: Node): Expectation {
  const spelt = (expectation: Expectation): Expectation => {
    if (expectation.is !== "shape") return expectation;
    const operators = expectation.operators.map((each) =>
      each.op === "one_of" && each.of.some(isRest)
        ? { ...each, of: [...each.of, { is: "value", value: "HTTP+JSON", at: expectation.at } as const] }
        : each,
    );
    return { ...expectation, operators };
  };
  const read = readExpectation(page, node);
  const whole: Expectation = isRest(read)
    ? { is: "shape", operators: [{ op: "one_of", of: [read] }], members: [], at: read.at }
    : read;
  const result = spelt(whole);
  if (JSON.stringify(result).includes('"HTTP+JSON"') && !JSON.stringify(read).includes('"HTTP+JSON"'))
    page.apply("rest-is-http-json", node);
  return result;
}

const isRest = (expectation: Expectation): boolean => expectation.is === "value" && expectation.value === "REST";

/** YAML has more kinds of scalars than JSON, but the core schema of 1.2 yields none of them. */
function scalarOf(page: ActsPage, node: Node): JsonValue {
  const value = page.json(node);
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  page.wrong(node, `expected a text, a number, true, false or null, found ${page.shown(node)}`);
  return null;
}
