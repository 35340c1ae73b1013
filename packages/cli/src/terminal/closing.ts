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
  // An inconclusive run has its own first step, without which a longer run shows nothing more.
  const isOpen = report.outcome === "inconclusive";
  const canResume = report.ending === "interrupted" && isRecorded && report.subject === "agent";
  const next = [
    ...(canResume ? ["assay test … --resume"] : []),
    ...(worst ? [`assay explain ${worst.test}`] : []),
    ...(reasons.has("prompt") && !hasConfig && !isOpen ? [`assay init ${url}`] : []),
    ...(reasons.has("depth") && !isOpen ? [`assay ${isGateway ? "gateway" : "test"} … --depth full`] : []),
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
