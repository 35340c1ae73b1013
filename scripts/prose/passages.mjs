// Finds the text that a person reads in a file: paragraphs, messages, comments and rule texts, each line with its place.
import { parseSync, Visitor } from "oxc-parser";
import { parseDocument, visit } from "yaml";

/**
 * A passage is one comment, one message, one table cell or one page.
 * `lines` are Markdown; the line at index i comes from line `at[i]` of the file.
 * @typedef {{ kind: "comment" | "doc comment" | "message" | "rule text" | "page", lines: string[], at: number[] }} Passage
 */

/** Returns the passages of a file, by its file extension. */
export function passagesOf(name, text) {
  if (name.endsWith(".md")) return pages(name.endsWith("CHANGELOG.md") ? unreleased(text) : text);
  if (/\.ya?ml$/.test(name)) return yamlTexts(text);
  return [...comments(name, text), ...messages(name, text)];
}

/** Old releases keep the words they were published with. */
function unreleased(text) {
  const headings = [...text.matchAll(/^## .*$/gm)];
  return headings.length < 2 ? text : text.slice(0, headings[1].index);
}

/** A cell of docs/threat-model.md that names tests by file and title. */
const quotesTests = /^\s*`[^`]+\.(?:test|fixture)\.ts`: "/;

/** Splits pages into passages. Sentence length counts only in paragraphs, so each table cell becomes one. */
function pages(text) {
  const page = { kind: "page", lines: [], at: [] };
  const cells = { kind: "page", lines: [], at: [] };
  let fence;
  for (const [index, line] of text.split("\n").entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const row = fence === undefined && /^\s*\|(.*)\|\s*$/.exec(line);
    page.lines.push(row ? "" : line);
    page.at.push(index + 1);
    if (!row) continue;
    for (const cell of row[1].split(/(?<!\\)\|/)) {
      if (isProse(cell) && !quotesTests.test(cell)) append(cells, cell.trim(), index + 1);
    }
  }
  return [page, cells];
}

function append(passage, line, at) {
  passage.lines.push(line, "");
  passage.at.push(at, at);
}

/** Three words or more; fewer are labels and identifiers. */
const isProse = (text) => /\p{L}{2,}[,;:]?\s+(\S+\s+)*?\p{L}+[,;:]?\s+(\S+\s+)*?\p{L}/u.test(text);

const statement = /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|BEGIN|PRAGMA|DROP|GRANT|LISTEN)\b/;

function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The file that was parsed last. Comments, messages and declarations of one file are read in turn. */
let latest = {};

function parsed(name, text) {
  if (latest.name === name && latest.text === text) return latest;
  const { program, comments, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  latest = { name, text, program, comments };
  return latest;
}

function comments(name, text) {
  const lineOf = lineFinder(text);
  const passages = [];
  let last;
  for (const comment of parsed(name, text).comments) {
    const at = lineOf(comment.start);
    if (comment.type === "Line") {
      if (/^\s*(biome-ignore|@ts-|#region|#endregion)/.test(comment.value)) continue;
      // Adjacent lines form one comment.
      const continued = last?.kind === "comment" && last.at.at(-1) === at - 1;
      if (!continued) {
        last = { kind: "comment", lines: [], at: [] };
        passages.push(last);
      }
      last.lines.push(comment.value.trim());
      last.at.push(at);
      continue;
    }
    const doc = comment.value.startsWith("*");
    last = { kind: doc ? "doc comment" : "comment", lines: [], at: [] };
    for (const [index, line] of comment.value
      .slice(doc ? 1 : 0)
      .split("\n")
      .entries()) {
      const words = line.replace(/^\s*\*? ?/, "").replace(/\{@link(?:code)? ([^}]*)\}/g, "`$1`");
      // A tag begins a separate paragraph.
      const tag = /^@\w+\s*(.*)$/.exec(words);
      if (tag) append(last, "", at + index);
      last.lines.push(tag ? tag[1] : words);
      last.at.push(at + index);
    }
    passages.push(last);
  }
  return passages;
}

/** A doc comment belongs to the declaration on the next line; returns the lines of those that have none. */
export function detachedComments(name, text) {
  const lineOf = lineFinder(text);
  const { program, comments } = parsed(name, text);
  // A comment at the top of a file, or after its imports, describes the file.
  const body = program.body.find(({ type }) => type !== "ImportDeclaration")?.start ?? text.length;
  const top = comments.find(({ start }) => start < body);
  const head = comments.find(
    ({ start, end }) => start < body && !text.slice(end, body).includes("/**") && start !== top?.start,
  );
  return comments
    .filter(({ type, value, start, end }) => {
      if (type !== "Block" || !value.startsWith("*")) return false;
      if (/^[ \t]*\n[ \t]*\/\*\*/.test(text.slice(end))) return true;
      return start !== top?.start && start !== head?.start && /^[ \t]*\n[ \t]*\n/.test(text.slice(end));
    })
    .map(({ start }) => lineOf(start));
}

function messages(name, text) {
  const lineOf = lineFinder(text);
  const all = { kind: "message", lines: [], at: [] };
  const inside = new Set();
  const add = (node, value) => {
    if (!isProse(value) || statement.test(value)) return;
    for (const line of value.split("\n")) {
      if (line.trim() !== "") append(all, asParagraph(line), lineOf(node.start));
    }
  };
  const literal = (node) => {
    if (inside.has(node)) return;
    const value = textOf(node, inside);
    if (value !== undefined) add(node, value);
  };
  new Visitor({
    ImportDeclaration: (node) => inside.add(node.source),
    JSXAttribute(node) {
      if (/^(class|className|d|style|viewBox|points)$/.test(node.name.name) && node.value) inside.add(node.value);
    },
    TaggedTemplateExpression: (node) => inside.add(node.quasi),
    BinaryExpression: literal,
    TemplateLiteral: literal,
    Literal: literal,
    JSXText: (node) => add(node, node.value.replace(/\s+/g, " ")),
  }).visit(parsed(name, text).program);
  return [all];
}

/** Joins literals that are concatenated with `+`; an expression counts as one word. */
function textOf(node, inside) {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral") {
    return node.quasis
      .map(({ value }, index) => (index === 0 ? "" : `X${index}`) + (value.cooked ?? value.raw))
      .join("");
  }
  if (node.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const sides = [node.left, node.right].map((side) => textOf(side, inside));
  if (sides.every((side) => side === undefined)) return undefined;
  for (const side of [node.left, node.right]) inside.add(side);
  return sides.map((side) => side ?? "X0").join("");
}

/** Removes leading signs that Markdown would read as a list, a heading or a quotation. */
const asParagraph = (line) =>
  line
    .trim()
    .replace(/^([#>+*-]|\d+[.)])\s+/, "")
    // Several spaces separate columns, not words of one sentence.
    .replace(/ {2,}/g, " | ");

function yamlTexts(text) {
  const lineOf = lineFinder(text);
  const all = { kind: "rule text", lines: [], at: [] };
  visit(parseDocument(text), {
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string" || !isProse(node.value)) return;
      for (const line of node.value.split("\n")) append(all, asParagraph(line), lineOf(node.range[0]));
    },
  });
  return [all];
}
