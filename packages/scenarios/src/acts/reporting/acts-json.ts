import { defined } from "@assay/protocol";
import { jsonText } from "@assay/protocol/escape";
import type { Transport } from "../model.ts";
import type { FailureDetail, TestOutcome, Verdict } from "./outcome.ts";
import { type ActsReport, byLevel, type Counts, countsOf } from "./report.ts";

/** Describes the implementation under test; §13.1 calls it `sdk`. */
export interface SdkInfo {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly repository?: string;
}

/** Writes the report that §13 of the format defines: one document for each binding. */
export function actsJson(report: ActsReport, transport: Transport, sdk?: Partial<SdkInfo>): string {
  const suites = report.suites
    .map(({ id, name, tests }) => ({ id, name, tests: tests.filter((each) => each.transport === transport) }))
    .filter(({ tests }) => tests.length);
  const outcomes = suites.flatMap(({ tests }) => tests);
  const levels = byLevel(outcomes);
  const document = {
    acts_version: report.actsVersion,
    spec_version: report.specVersion,
    generated_at: report.testDate,
    sdk: {
      name: sdk?.name ?? report.agentName,
      version: sdk?.version ?? report.agentVersion,
      language: sdk?.language ?? "unknown",
      ...(sdk?.repository !== undefined && { repository: sdk.repository }),
    },
    transport,
    environment: { runner: `assay ${report.tool.version}`, url: report.agentUrl },
    summary: {
      ...inTheirWords(countsOf(outcomes)),
      duration_ms: report.duration_ms,
      by_level: {
        must: inTheirWords(levels.must),
        should: inTheirWords(levels.should),
        may: inTheirWords(levels.may),
      },
    },
    suites: suites.map(({ id, name, tests }) => ({ id, name, tests: tests.map(testOf) })),
  };
  return `${jsonText(document, 2)}\n`;
}

/** The format has no defects: the test counts as skipped, and the reason explains it. */
const inTheirWords = ({ total, passed, failed, skipped, defects, errors }: Counts) => ({
  total,
  passed,
  failed,
  skipped: skipped + defects,
  errors,
});

const results: Readonly<Record<Verdict, "pass" | "fail" | "skip" | "error">> = {
  pass: "pass",
  fail: "fail",
  skip: "skip",
  defect: "skip",
  error: "error",
};

const testOf = ({ id, name, level, verdict, reason, failure, durationMs, steps }: TestOutcome) => ({
  id,
  name,
  level,
  result: results[verdict],
  duration_ms: durationMs,
  ...(verdict === "skip" && reason !== undefined && { skip_reason: reason }),
  ...(verdict === "defect" && { skip_reason: `defect of the test: ${reason}` }),
  ...(verdict === "error" && { failure: { message: reason ?? "it could not be run" } }),
  ...(failure && { failure: failureOf(failure) }),
  ...(steps.length && {
    steps: steps.map((step) => ({
      id: step.id,
      result: step.verdict,
      duration_ms: step.durationMs,
      ...(step.failure && { failure: failureOf(step.failure) }),
    })),
  }),
});

const failureOf = ({ message, step, expected, actual, path }: FailureDetail) => ({
  message,
  step_id: step,
  ...defined({ expected, actual, assertion_path: path }),
});

/** §13.5 */
export function actsFileName(report: ActsReport, transport: Transport, sdk?: Partial<SdkInfo>): string {
  const name =
    (sdk?.name ?? report.agentName)
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, "-")
      .replace(/^-+|-+$/g, "") || "agent";
  return `acts-report-${name}-${transport}-${report.testDate.replace(/[-:]|\.\d+/g, "")}.json`;
}
