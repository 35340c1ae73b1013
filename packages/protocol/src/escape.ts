/**
 * Text from an agent is hostile: it may try to end the element it stands in, to link, to ping people, to reorder what is
 * read, or to speak to the CI system that prints it. Every format writes such text through one of these.
 */

/** Controls, marks that reorder text, characters without a shape, halves of pairs: nobody can read them. */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\p{Cs}\u{e0000}-\u{e0fff}]/gu;

const shortEscapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** GitHub's and Azure's runners take `##[…]` and `##vso[…]` anywhere in a line as a command to them. */
const commandInLine = /##(?=\[|vso\[)/gi;

/** One line on which everything can be seen; what cannot is written as in JSON. */
export const visible = (text: string): string =>
  text
    .replace(hidden, (character) => shortEscapes[character] ?? escapeOf(character))
    .replace(commandInLine, "#\\u0023");

/** The same, for a place that keeps lines and tabs. */
export const visibleLines = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(hidden, (character) => (character === "\n" || character === "\t" ? character : escapeOf(character)))
    .replace(commandInLine, "#\\u0023");

/** No longer than this; says how much is missing. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a pair: each would be shown as an escape.
  const end = /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const asEntities = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** For an element or a quoted attribute of HTML or XML. */
export const markup = (text: string): string => asEntities(visible(text));

/** For a `<pre>`, or text of XML that is read by lines; `::error::` at the start of one would be a command to GitHub. */
export const markupLines = (text: string): string =>
  asEntities(visibleLines(text)).replace(/^(\s*):(?=:)/gm, "$1&#58;");

/** JSON that says the same, and hides nothing from whoever reads it as text. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent)
    .replace(hidden, (character) => (character === "\n" ? character : jsonEscapeOf(character)))
    .replace(commandInLine, "#\\u0023");

/** JSON writes what is above U+FFFF as its two halves. */
const jsonEscapeOf = (character: string): string =>
  character.replace(/./gs, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A span of code in Markdown: nothing in it means anything, and GitHub links and pings nobody from there. */
export function code(text: string): string {
  const line = visible(text);
  if (line === "") return "(empty)";
  // A table ends its cell at a bar even within backticks, and readers differ about a backslash before it.
  if (line.includes("|")) return `<code>${line.replace(/[!-/:-@[-`{-~]/g, numericEntity)}</code>`;
  const longest = (line.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = /^[ `]|[ `]$/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

const numericEntity = (character: string): string => `&#${character.charCodeAt(0)};`;

/**
 * A sentence in Markdown. Its words stand as they are; those that could mean something to a reader of Markdown or to
 * GitHub (links, mentions, markers, emphasis, `:names:`) become spans of code.
 */
export function prose(text: string): string {
  const written: string[] = [];
  let odd: string[] = [];
  const flush = (): void => {
    if (odd.length) written.push(oddWords(odd.join(" ")));
    odd = [];
  };
  for (const word of visible(text).split(" ")) {
    if (word === "") continue;
    if (!isPlain(word)) {
      odd.push(word);
      continue;
    }
    flush();
    written.push(word);
  }
  flush();
  return written.join(" ");
}

const isPlain = (word: string): boolean =>
  /^[A-Za-z0-9"'(),.;:!?%+=/\u0080-\u{10ffff}-]+$/u.test(word) &&
  !/^[-+=]|^\d+[.)]$|:(?!$)|www\.|^gh-\d/i.test(word.replace(/^\d\d:\d\d$/, "time"));

/** The sentence goes on after them: its comma is no part of the code, nor are backticks that already say "code". */
function oddWords(words: string): string {
  const [, inner, mark] = /^(.+?)([,;:.]?)$/.exec(words)!;
  return code(/^`[^`]+`$/.exec(inner!) ? inner!.slice(1, -1) : inner!) + mark;
}

/**
 * Agent text made safe to print: control characters (which move the cursor, change colours, set titles) and
 * bidirectional overrides (which make text read differently from what it is) are shown as escapes. What build servers
 * take for a command of theirs is broken up: GitHub reads `::` where a line begins, it and Azure `##[` and `##vso[`
 * anywhere.
 */
export const escapeText = (text: string): string => visible(text).replace(/^\s*::/, "\\$&");
