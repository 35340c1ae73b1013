// Checks the prose of one file with textlint.

import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import sentenceLength from "textlint-rule-sentence-length";
import terminology from "textlint-rule-terminology";
import writeGood from "textlint-rule-write-good";
import { detachedComments, passagesOf } from "./passages.mjs";
import { pattern, words } from "./words.mjs";

/** Node wraps the export of a CommonJS module once more; vitest does not. */
const moduleOf = (imported) => imported.default ?? imported;

const maxWords = 30;
const kernel = new TextlintKernel();

// The rule counts characters. With everything removed except one character of each word, it counts words.
const onePerWord = ["/(?<!\\S)[^\\p{L}\\p{N}\\s]+(?!\\S)/gu", "/\\S+(?=\\S)/g", "/\\s/g"];

const rules = [
  { ruleId: "words", rule: words },
  { ruleId: "sentence-length", rule: moduleOf(sentenceLength), options: { max: maxWords, skipPatterns: onePerWord } },
  // The other checks of write-good forbid what technical English needs, such as every passive.
  { ruleId: "write-good", rule: moduleOf(writeGood), options: only("illusion") },
];
const names = ["GitHub", "JavaScript", "Kubernetes", "OpenTelemetry", "PostgreSQL", "TypeScript"];
const inPages = [
  { ruleId: "terminology", rule: moduleOf(terminology), options: { defaultTerms: false, terms: names } },
];

function only(check) {
  const all = ["passive", "illusion", "so", "thereIs", "weasel", "adverb", "tooWordy", "cliches", "eprime"];
  return Object.fromEntries(all.map((name) => [name, name === check]));
}

/** Returns the problems of a file as `{ line, rule, message }`, in the order of lines. */
export async function problemsIn(name, source) {
  const passages = passagesOf(name, source);
  const problems = [];
  for (const passage of passages) {
    const opener = passage.kind === "doc comment" && passage.lines.findIndex((line) => line.trim() !== "");
    if (opener !== false && /^What\b/.test(passage.lines[opener] ?? "")) {
      problems.push({
        line: passage.at[opener],
        rule: "opener",
        message: `a doc comment starts with "What": start with a verb or a noun`,
      });
    }
  }
  if (/\.tsx?$/.test(name)) {
    for (const line of detachedComments(name, source)) {
      problems.push({ line, rule: "detached", message: "a doc comment without a declaration on the next line" });
    }
  }
  for (const part of partsOf(passages)) {
    const text = part.lines.join("\n");
    const { messages } = await kernel.lintText(text, {
      filePath: `${name}.md`,
      ext: ".md",
      plugins: [{ pluginId: "markdown", plugin: moduleOf(markdown) }],
      rules: name.endsWith(".md") ? [...rules, ...inPages] : rules,
    });
    for (const { loc, range, ruleId, message } of messages) {
      const line = part.at[loc.start.line - 1];
      problems.push({ line, rule: ruleId, message: worded(ruleId, message, excerpt(text, range)) });
    }
  }
  return problems.sort((a, b) => a.line - b.line);
}

/** textlint takes more than twice as long for a text of twice the length, so a file is checked in parts. */
const linesPerPart = 60;

function partsOf(passages) {
  const parts = [];
  let part = { lines: [], at: [] };
  for (const { lines, at } of passages.flatMap(paragraphsOf)) {
    part.lines.push(...lines.map(oneWordCode), "");
    part.at.push(...at, at.at(-1));
    if (part.lines.length < linesPerPart) continue;
    parts.push(part);
    part = { lines: [], at: [] };
  }
  return part.lines.length > 0 ? [...parts, part] : parts;
}

/** Cuts at blank lines outside fences. Most paragraphs of code are short and harmless, and need not be parsed. */
function paragraphsOf({ kind, lines, at }) {
  const paragraphs = [];
  let current = { lines: [], at: [] };
  let fence = false;
  const close = () => {
    if (current.lines.length > 0 && (kind === "page" || needsALook(current.lines.join(" ")))) paragraphs.push(current);
    current = { lines: [], at: [] };
  };
  for (const [index, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) fence = !fence;
    if (line.trim() === "" && !fence) {
      close();
      continue;
    }
    current.lines.push(line);
    current.at.push(at[index]);
  }
  close();
  return paragraphs;
}

const needsALook = (text) =>
  text.split(" ").length > maxWords || text.search(pattern) !== -1 || /(?<!\S)(\S+)\s+\1(?!\S)/i.test(text);

/** A command in a sentence counts as one word. */
const oneWordCode = (line) => line.replace(/`[^`]+`/g, (code) => code.replace(/ /g, "·"));

/** The first words of a sentence, for the reader to find it. */
const excerpt = (text, [start]) => text.slice(start).trim().split(/\s+/, 8).join(" ");

function worded(rule, message, sentence) {
  const length = rule === "sentence-length" && /length\((\d+)/.exec(message)?.[1];
  return length ? `a sentence of ${length} words (at most ${maxWords}): "${sentence} …"` : message.split("\n")[0];
}
