import { markedJson, type ShownLine } from "../look/marked-json.ts";
import { h, type SafeHtml } from "../safe-html.ts";

/** JSON as a piece of the page, with the place marked that a finding is about; undefined for what is no JSON. */
export function jsonView(text: string, path: string | undefined): SafeHtml | undefined {
  const lines = markedJson(text, path);
  return lines && h`${lines.map(written)}`;
}

function written(line: ShownLine): SafeHtml {
  const blanks = "  ".repeat(line.depth);
  if ("leftOut" in line) return h`${blanks}… ${line.leftOut} ${line.leftOut === 1 ? "line" : "lines"}\n`;
  if (!line.isMarked) return h`${blanks}${line.text}\n`;
  return h`${blanks}<mark>${line.text}${line.note === undefined ? "" : ` ${line.note}`}</mark>\n`;
}
