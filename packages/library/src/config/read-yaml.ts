import { readFileSync, statSync } from "node:fs";
import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean, wayToCycle } from "@assay/protocol/core";
import { escapeText } from "@assay/protocol/escape";
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { readingReasonOf } from "../runs/file-trouble.ts";

/** The maximum number of errors to report for one file. */
const toldAtOnce = 5;

type Issue = z.core.$ZodIssue;

/** Reads a YAML file. Each error names its place in the file and the expected value. */
export function readYaml<T>(
  file: string,
  schema: z.ZodType<T>,
  { blanks = "drop" }: { blanks?: "drop" | "keep" } = {},
): T {
  const lines = new LineCounter();
  const document = readable(file, () => parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false }));
  const [broken] = document.errors;
  if (broken) throw new UsageError(`${placed(file, lines, broken.pos[0])} ${escapeText(broken.message)}`);
  const said = readable(file, () => document.toJS());
  const cycle = wayToCycle(said);
  if (cycle)
    throw new UsageError(
      `${placed(file, lines, valueOffset(document, cycle))} ${escapeText(nameOf(cycle))}: this alias refers to a value that contains it`,
      "Replace the alias with the value.",
    );
  const read = schema.safeParse(blanks === "drop" ? withoutBlanks(said) : said);
  if (read.success) return read.data;
  const mistakes = read.error.issues.flatMap((issue) => mistakesIn(issue, document, schema));
  const told = mistakes
    .slice(0, toldAtOnce)
    .map(({ at, says }) => `${placed(file, lines, at)} ${escapeText(says)}`)
    .join("\n");
  throw new UsageError(
    mistakes.length > toldAtOnce ? `${told}\nand ${mistakes.length - toldAtOnce} more errors` : told,
  );
}

/** Reports a file with too many aliases or too much nesting as a usage error: such a file is not a settings file. */
function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The parser itself throws only at its limits: too many aliases, or nesting too deep for its stack.
    throw new UsageError(
      `Cannot read settings from ${file}: ${escapeText((error as Error).message)}`,
      undefined,
      error,
    );
  }
}

/** Maximum size of a settings file in bytes; real files are far smaller. */
const largest = 1024 * 1024;

/** Ignores a name without a value, for example if all lines below it are comments. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutBlanks(member)]));
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > largest) throw new UsageError(`${file} is larger than 1 MiB, the limit for settings`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read ${file}: ${readingReasonOf(error as NodeJS.ErrnoException)}`, undefined, error);
  }
}

/** Returns a place that editors and terminals turn into a link: "assay.yaml:7:3". */
function placed(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

interface Mistake {
  readonly at: number;
  readonly says: string;
}

function mistakesIn(issue: Issue, document: Document, schema: z.ZodType): Mistake[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const name = nameOf(path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      at: keyOffset(document, path, key),
      says: `"${key}" is unknown${name ? ` in ${name}` : ""}.${didYouMean(key, keysAt(schema, path))}`,
    }));
  }
  const value = path.length ? document.getIn(path) : document.toJS();
  if (path.length === 0 && value === null) return [{ at: 0, says: `the file is empty: expected ${expectedBy(issue)}` }];
  const found = value === undefined || value === null ? "it is missing" : `found ${shown(value)}`;
  return [{ at: valueOffset(document, path), says: `${name || "the file"}: expected ${expectedBy(issue)}, ${found}` }];
}

/** Returns the name of a place: `prompts.task`, `[2].reason`. */
const nameOf = (path: readonly (string | number)[]): string =>
  path.map((step, index) => (typeof step === "number" ? `[${step}]` : `${index ? "." : ""}${step}`)).join("");

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return (
        { object: "names with values", array: "a list", record: "names with values" }[issue.expected as string] ??
        `a ${issue.expected}`
      );
    case "invalid_value":
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(", ")}`;
    default:
      return issue.message;
  }
}

const shown = (value: unknown): string => {
  const text = isScalar(value) ? String(value.toJSON()) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** Returns the offset of a value, or of the closest parent if the value is missing. */
function valueOffset(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length ? document.getIn(path.slice(0, length), true) : document.contents;
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: readonly (string | number)[], key: string): number {
  const map = path.length ? document.getIn(path, true) : document.contents;
  const pair = isMap(map) ? map.items.find((item) => String(item.key) === key) : undefined;
  return isNode(pair?.key) && pair.key.range ? pair.key.range[0] : valueOffset(document, path);
}

/** Returns the names that a schema accepts at a place. */
function keysAt(schema: z.ZodType, path: readonly (string | number)[]): string[] {
  let here: unknown = schema;
  for (const step of path) here = typeof step === "number" ? inner(here) : shapeOf(here)[step];
  return Object.keys(shapeOf(here));
}

/**
 * Unwraps a schema: optional, piped, list elements, or the last of several forms, which is the one with named members.
 */
function inner(schema: unknown): unknown {
  const { def } = (schema as z.ZodType) ?? {};
  const wraps = def as { innerType?: unknown; in?: unknown; element?: unknown; options?: unknown[] } | undefined;
  return wraps?.innerType ?? wraps?.element ?? wraps?.in ?? wraps?.options?.at(-1);
}

function shapeOf(schema: unknown): Record<string, unknown> {
  for (let here = schema; here; here = inner(here)) {
    const shape = (here as { shape?: Record<string, unknown> }).shape;
    if (shape) return shape;
  }
  return {};
}
