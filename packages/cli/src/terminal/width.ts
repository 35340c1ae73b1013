import { plainAgain } from "./colors.ts";

/** Returns the columns of a character: none for combining marks, two for wide scripts and emoji. */
function cellsOf(code: number): 0 | 1 | 2 {
  if (isJoined(code)) return 0;
  return isWide(code) ? 2 : 1;
}

const isJoined = (code: number): boolean =>
  (code >= 0x300 && code <= 0x36f) ||
  (code >= 0x200b && code <= 0x200d) ||
  (code >= 0x20d0 && code <= 0x20ff) ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0xe0100 && code <= 0xe01ef);

const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0xffe0 && code <= 0xffe6) ||
  (code >= 0x1f300 && code <= 0x1faff) ||
  (code >= 0x20000 && code <= 0x3fffd);

/** Assay's own colours. Agent text was escaped before, so it contains none. */
const color = /\u001b\[[\d;]*m/y;

/** Returns the number of columns of a text. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { cells } of piecesOf(text)) width += cells;
  return width;
}

/** Cuts a text to `columns`, because a wrapped line cannot be repainted. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width, colored] = ["", 0, false];
  for (const { piece, cells } of piecesOf(text)) {
    if (width + cells > columns - 1) break;
    kept += piece;
    width += cells;
    colored ||= piece.startsWith("\u001b");
  }
  return `${kept}…${colored ? plainAgain : ""}`;
}

/** Pads a text with spaces to `columns`. */
export const padTo = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - widthOf(text)));

function* piecesOf(text: string): Generator<{ piece: string; cells: number }> {
  for (let at = 0; at < text.length; ) {
    color.lastIndex = at;
    const found = color.exec(text)?.[0];
    const code = text.codePointAt(at)!;
    const piece = found ?? String.fromCodePoint(code);
    yield { piece, cells: found === undefined ? cellsOf(code) : 0 };
    at += piece.length;
  }
}

/** Breaks a text into lines of at most `columns`, at a space if possible. Keeps its own line breaks and spaces. */
export function folded(text: string, columns: number): string[] {
  return text.split("\n").flatMap((whole) => {
    const lines: string[] = [];
    let rest = whole;
    while (widthOf(rest) > columns) {
      const full = takeTo(rest, columns);
      const blank = full.lastIndexOf(" ");
      const line = blank > full.length / 2 ? full.slice(0, blank + 1) : full;
      lines.push(line.trimEnd());
      rest = rest.slice(line.length);
    }
    return [...lines, rest];
  });
}

/** Returns as much of the start as fits into `columns`, and at least one character. */
function takeTo(text: string, columns: number): string {
  let [taken, width] = ["", 0];
  for (const { piece, cells } of piecesOf(text)) {
    if (taken !== "" && width + cells > columns) break;
    taken += piece;
    width += cells;
  }
  return taken;
}

/** Wraps the words of a text into lines of at most `columns`. A longer word gets its own line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line || !lines.length ? [...lines, line] : lines;
}
