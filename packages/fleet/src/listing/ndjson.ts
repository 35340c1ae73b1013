import { parseJson } from "@assay/protocol";
import type { ListDocument, ListMistake, ListRow } from "./row.ts";

/** Reads a list of JSON lines, one agent per line. */
export function readNdjson(text: string, file: string): ListDocument {
  const rows: ListRow[] = [];
  const mistakes: ListMistake[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const place = `${file}:${index + 1}`;
    try {
      rows.push({ place, value: parseJson(line) });
    } catch {
      mistakes.push({ place, message: "is not JSON" });
    }
  }
  return { rows, mistakes };
}
