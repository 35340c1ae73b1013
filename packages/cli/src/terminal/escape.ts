import { escapeText, visible, visibleLines } from "@assay/protocol/escape";
import { piecesOf, unsigned } from "./own-sequence.ts";

export { escapeText };

/** Returns agent text on one line, cut to a readable width. */
export function brief(text: string, width = 60): string {
  const safe = escapeText(text);
  return safe.length <= width ? safe : `${safe.slice(0, width - 1)}…`;
}

/** Finds `::` at the start of a line, after blanks and colours, because a build server would take it as a command. */
const commandOfLine = /^((?:[^\S\n]|\u001b\[[\d;?]*[A-Za-z])*)::/gm;

/** Returns a text as one line for the screen. Every control character becomes visible, except Assay's own colours. */
export const printedLine = (text: string): string => printed(text, visible);

/** Returns a text of several lines for the screen. */
export const printedLines = (text: string): string => printed(text, visibleLines);

function printed(text: string, write: (part: string) => string): string {
  const pieces = piecesOf(text).map((piece, index) => (index % 2 ? unsigned(piece) : write(piece)));
  return pieces.join("").replace(commandOfLine, "$1\\::");
}
