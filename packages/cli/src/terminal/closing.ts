import { type ConformanceReport, exitCodeOf, failuresOf, unexaminedOf } from "@assay/suite/report";
import { escapeText } from "./escape.ts";
import type { Screen } from "./screen.ts";

/** What a run left behind. */
export interface Closing {
  /** as the user named it */
  readonly url: string;
  readonly hasConfig: boolean;
  /** reports that were written, the one to look at first */
  readonly files: readonly string[];
  /** can be made into other reports later */
  readonly isRecorded: boolean;
}

/** Where the reports are, and what to do next. */
export function closingLines(report: ConformanceReport, { url, hasConfig, files, isRecorded }: Closing): string[] {
  const more = isRecorded ? "   (json, junit, markdown: assay report last --report junit=…)" : "";
  const reasons = new Set(unexaminedOf(report).map(({ reason }) => reason));
  const [worst] = failuresOf(report);
  const next = [
    ...(worst ? [`assay explain ${worst.test}`] : []),
    ...(reasons.has("prompt") && !hasConfig ? [`assay init ${url}`] : []),
    ...(reasons.has("depth") ? ["assay test … --depth full"] : []),
  ];
  return [
    ...files.map((file, index) => `${index ? "       " : "Report "} ${file}${index ? "" : more}`),
    ...(next.length ? [`Next    ${next.join("   ·   ")}`] : []),
  ];
}

/** A run that could not begin: what happened, what to do, and how it ends for the shell. */
export function tellNoRun(report: ConformanceReport, { complain }: Pick<Screen, "complain">): void {
  const { message, hint, levelBecause } = report;
  const exit = `exit ${exitCodeOf(report)}`;
  complain(escapeText(message ?? levelBecause));
  complain(hint === undefined ? exit : `${escapeText(hint)}   ${exit}`);
}
