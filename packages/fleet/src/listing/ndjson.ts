import { parseJson } from "@assay/protocol";
import type { ListDocument, ListMistake, ListRow } from "./row.ts";

/** A list as lines of JSON, an agent on each. */
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
