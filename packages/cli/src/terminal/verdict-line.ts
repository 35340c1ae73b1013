import type { ConformanceResult } from "@assay/suite/report";
import { sections } from "../phrases.ts";
import { escapeText } from "./escape.ts";

/** What a request breaks, on a line below the one that tells of it. */
export function verdictLine({ test, verdict, message, warning, want, section }: ConformanceResult): string {
  const said = escapeText(warning ?? message ?? "");
  const wanted = want === undefined || said.includes(want) ? "" : `, want ${escapeText(want)}`;
  return `              ${verdict === "fail" ? "FAIL" : "WARN"} ${test} ${said}${wanted} (${sections(section)})`;
}
