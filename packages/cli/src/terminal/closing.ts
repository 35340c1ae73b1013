import { type ConformanceReport, exitCodeOf, failuresOf, unexaminedOf } from "@assay/suite/report";
import { escapeText } from "./escape.ts";
import type { Screen } from "./screen.ts";

/** The files of a finished run. */
export interface Closing {
  /** as the user wrote it */
  readonly url: string;
  readonly hasConfig: boolean;
  /** the written reports, the most useful one first */
  readonly files: readonly string[];
  /** `assay report` can write other reports later */
  readonly isRecorded: boolean;
}

/** Lists the reports and the next commands. */
export function closingLines(report: ConformanceReport, { url, hasConfig, files, isRecorded }: Closing): string[] {
  const more = isRecorded ? "   (json, junit, markdown: assay report last --report junit=…)" : "";
  const reasons = new Set(unexaminedOf(report).map(({ reason }) => reason));
  const [worst] = failuresOf(report);
  const isGateway = report.subject === "gateway";
  const next = [
    ...(worst ? [`assay explain ${worst.test}`] : []),
    ...(reasons.has("prompt") && !hasConfig ? [`assay init ${url}`] : []),
    ...(reasons.has("depth") ? [`assay ${isGateway ? "gateway" : "test"} … --depth full`] : []),
  ];
  return [
    ...files.map((file, index) => `${index ? "       " : "Report "} ${file}${index ? "" : more}`),
    ...(next.length ? [`Next    ${next.join("   ·   ")}`] : []),
  ];
}

/** Reports a run that could not start: the problem, the next step and the exit code. */
export function tellNoRun(report: ConformanceReport, { complain }: Pick<Screen, "complain">): void {
  const { message, hint, levelBecause } = report;
  const exit = `exit ${exitCodeOf(report)}`;
  complain(escapeText(message ?? levelBecause));
  complain(hint === undefined ? exit : `${escapeText(hint)}   ${exit}`);
}
