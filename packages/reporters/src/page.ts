import { type ConformanceReport, failuresOf, warningsOf } from "@assay/suite/report";
import { EvidenceSections } from "./html/evidence.ts";
import { Filters } from "./html/filters.ts";
import { foundSections } from "./html/found.ts";
import type { SafeHtml } from "./safe-html.ts";

/** Parts of the HTML report, for pages that tell of runs among other things. */

export { drawnBadge } from "./badge.ts";
export { sentence } from "./html/sentence.ts";
export { style as reportStyle } from "./html/style.ts";
export { sitePage } from "./site-page.ts";

/** What a run found, with the exchanges that its report carries along. */
export const foundIn = (report: ConformanceReport): SafeHtml =>
  foundSections(report, {
    failures: failuresOf(report),
    warned: warningsOf(report),
    context: {
      evidence: new EvidenceSections((report.exchanges ?? []).map((each) => ({ event: "exchange", ...each }))),
      filters: new Filters(report),
    },
  });
