import type { Message } from "@assay/protocol";
import { visibleLines } from "@assay/protocol/escape";
import { brief, escapeText } from "./escape.ts";
import { folded, widthOf } from "./width.ts";

type Part = Message["parts"][number];

/** Returns the parts of a message or an artifact on one line. */
export const contentOf = (parts: Message["parts"]): string =>
  parts
    .map((part) => {
      if (part.text !== undefined) return `"${brief(part.text, 70)}"`;
      return part.data === undefined ? fileOf(part) : `data ${brief(JSON.stringify(part.data), 60)}`;
    })
    .join(", ");

/** The maximum number of lines of one response; longer ones are easier to read elsewhere. */
const mostLines = 200;

/** Returns the complete parts on several lines. */
export function wholeContentOf(parts: Message["parts"], columns: number): string[] {
  const lines = parts.flatMap((part) => {
    if (part.text !== undefined) return fitting(`"${part.text}"`, `"${part.text}"`, columns);
    if (part.data === undefined) return folded(fileOf(part), columns);
    return fitting(`data ${JSON.stringify(part.data)}`, `data ${JSON.stringify(part.data, null, 2)}`, columns);
  });
  const more = lines.length - mostLines;
  return more > 0 ? [...lines.slice(0, mostLines), `… ${more} more lines (--json shows all)`] : lines;
}

/** Returns the short form with visible line breaks if it fits on one line, otherwise the long form on several lines. */
function fitting(short: string, long: string, columns: number): string[] {
  const line = escapeText(short);
  return widthOf(line) <= columns ? [line] : folded(visibleLines(long), columns);
}

function fileOf(part: Part): string {
  const name = part.filename ? ` ${brief(part.filename, 40)}` : "";
  const type = part.mediaType ? ` (${brief(part.mediaType, 40)})` : "";
  if (part.url !== undefined) return `file${name}${type} at ${brief(part.url, 60)}`;
  return `file${name}${type}, ${bytesIn(part.raw ?? "")} bytes`;
}

/** Returns the number of bytes that a Base64 text encodes. */
const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
