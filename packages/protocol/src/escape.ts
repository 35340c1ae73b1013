/**
 * Text from an agent is hostile. It may try to close the surrounding element, add links, mention people, reorder text,
 * or send commands to the CI system that prints it. Every output format escapes such text with one of these functions.
 */

/** Unreadable characters: controls, bidirectional marks, invisible characters, and lone surrogates. */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\p{Cs}\u{e0000}-\u{e0fff}]/gu;

const shortEscapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** GitHub and Azure runners treat `##[…]` and `##vso[…]` anywhere in a line as a command. */
const commandInLine = /##(?=\[|vso\[)/gi;

/** Returns one line with every hidden character written as a JSON escape. */
export const visible = (text: string): string =>
  text
    .replace(hidden, (character) => shortEscapes[character] ?? escapeOf(character))
    .replace(commandInLine, "#\\u0023");

/** The same, but keeps line breaks and tabs. */
export const visibleLines = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(hidden, (character) => (character === "\n" || character === "\t" ? character : escapeOf(character)))
    .replace(commandInLine, "#\\u0023");

/** Cuts a text to a maximum length and says how much is missing. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Do not split a surrogate pair: each half would be shown as an escape.
  const end = /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const asEntities = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** For an element or a quoted attribute of HTML or XML. */
export const markup = (text: string): string => asEntities(visible(text));

/** For a `<pre>` or line-based XML text. At the start of a line, `::error::` would be a command to GitHub. */
export const markupLines = (text: string): string =>
  asEntities(visibleLines(text)).replace(/^(\s*):(?=:)/gm, "$1&#58;");

/** Returns equivalent JSON without hidden characters. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent)
    .replace(hidden, (character) => (character === "\n" ? character : jsonEscapeOf(character)))
    .replace(commandInLine, "#\\u0023");

/** JSON writes characters above U+FFFF as two surrogates. */
const jsonEscapeOf = (character: string): string =>
  character.replace(/./gs, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns a Markdown code span: no markup is interpreted in it, and GitHub creates no links or mentions. */
export function code(text: string): string {
  const line = visible(text);
  if (line === "") return "(empty)";
  // A table cell ends at a bar even inside backticks, and Markdown readers treat an escaped bar differently.
  if (line.includes("|")) return `<code>${line.replace(/[!-/:-@[-`{-~]/g, numericEntity)}</code>`;
  const longest = (line.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = /^[ `]|[ `]$/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

const numericEntity = (character: string): string => `&#${character.charCodeAt(0)};`;

/** Code that a sentence marks itself, as in `taskId`. It may hold blanks, and touches only blanks and punctuation. */
const markedCode = /(?<=^|[ (/"'])(`[^`]+`)(?=$|[ ),.;:/"'])/;

/**
 * Escapes a sentence for Markdown. Plain words and marked code stay unchanged. Other words with a meaning in Markdown
 * or on GitHub (links, mentions, markers, emphasis, `:names:`) become code spans.
 */
export function prose(text: string): string {
  const pieces = visible(text)
    .split(markedCode)
    .map((piece, index) => (index % 2 ? code(piece.slice(1, -1)) : words(piece)));
  // Two code spans that touch would be read as one.
  return pieces.reduce((all, next) => all + (all.endsWith("`") && next.startsWith("`") ? " " : "") + next, "").trim();
}

/** Escapes text without marked code. A blank at either end stays. */
function words(text: string): string {
  const written: string[] = [];
  let odd: string[] = [];
  const flush = (): void => {
    if (odd.length) written.push(oddWords(odd.join(" ")));
    odd = [];
  };
  const all = text.split(" ");
  let closesAt = -1;
  for (const [index, word] of all.entries()) {
    if (word === "") continue;
    if (index > closesAt && !isPlain(word)) closesAt = endOfBrackets(all, index);
    if (index <= closesAt) {
      odd.push(word);
      continue;
    }
    flush();
    written.push(word);
  }
  flush();
  const [before, after] = [text.startsWith(" ") ? " " : "", text.endsWith(" ") ? " " : ""];
  return written.length ? `${before}${written.join(" ")}${after}` : before;
}

/** Returns the word that closes the braces and brackets of a word; the word itself if none does. */
function endOfBrackets(all: readonly string[], start: number): number {
  let open = 0;
  for (let index = start; index < all.length; index++) {
    open += (all[index]!.match(/[{[]/g)?.length ?? 0) - (all[index]!.match(/[}\]]/g)?.length ?? 0);
    if (open <= 0) return index;
  }
  return start;
}

const isPlain = (word: string): boolean =>
  /^[A-Za-z0-9"'(),.;:!?%+=/\u0080-\u{10ffff}-]+$/u.test(word) &&
  !/^[-+=]|^\d+[.)]$|:(?!$)|www\.|^gh-\d/i.test(word.replace(/^\d\d:\d\d$/, "time"));

/** Keeps punctuation after the words and brackets around them outside the code. */
function oddWords(odd: string): string {
  const [, inner, mark] = /^(.+?)([,;:.]?)$/.exec(odd)!;
  const [, open = "", bare = inner!, close = ""] = /^(\(?)([^()]+)(\)?)$/.exec(inner!) ?? [];
  return open + code(bare) + close + mark;
}

/**
 * Makes agent text safe to print. Control characters (which move the cursor, change colours, set titles) and
 * bidirectional overrides (which change the reading order) become escapes. Commands of build servers are broken up:
 * GitHub reads `::` at the start of a line, GitHub and Azure read `##[` and `##vso[` anywhere.
 */
export const escapeText = (text: string): string => visible(text).replace(/^\s*::/, "\\$&");
