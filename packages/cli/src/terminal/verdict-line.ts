import type { ConformanceResult } from "@assay/suite/report";
import { sections } from "../phrases.ts";
import { escapeText } from "./escape.ts";

/** Returns the rule that a request breaks, as a line below that of the request. */
export function verdictLine({ test, verdict, message, warning, want, section }: ConformanceResult): string {
  const said = escapeText(warning ?? message ?? "");
  const wanted = want === undefined || said.includes(want) ? "" : `, want ${escapeText(want)}`;
  return `              ${verdict === "fail" ? "FAIL" : "WARN"} ${test} ${said}${wanted} (${sections(section)})`;
}
