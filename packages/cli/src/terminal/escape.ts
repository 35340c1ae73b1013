import { escapeText, visible, visibleLines } from "@assay/protocol/escape";
import { piecesOf, unsigned } from "./own-sequence.ts";

export { escapeText };

/** One line of agent text, cut to a width that leaves the line readable. */
export function brief(text: string, width = 60): string {
  const safe = escapeText(text);
  return safe.length <= width ? safe : `${safe.slice(0, width - 1)}…`;
}

/** Where a line begins, colours not counted. */
const commandOfLine = /^((?:[^\S\n]|\u001b\[[\d;?]*[A-Za-z])*)::/gm;

/** A line as the screen writes it: whatever is in it, it stays one, and only our own colours are obeyed. */
export const printedLine = (text: string): string => printed(text, visible);

/** The same for a text of several lines. */
export const printedLines = (text: string): string => printed(text, visibleLines);

function printed(text: string, write: (part: string) => string): string {
  const pieces = piecesOf(text).map((piece, index) => (index % 2 ? unsigned(piece) : write(piece)));
  return pieces.join("").replace(commandOfLine, "$1\\::");
}
