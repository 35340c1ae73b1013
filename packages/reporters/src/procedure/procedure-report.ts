import {
  type Category,
  type CategoryMember,
  type ConformanceLevel,
  type ConformanceReport,
  type ConformanceResult,
  categories,
  resultsOf,
} from "@assay/suite/report";
import type { Run } from "../run.ts";
import { evidenceOf, type RunEvidence, type StepVerdict, skips, unconcerned } from "./evidence.ts";
import { type ProcedureTest, procedureTests } from "./steps.ts";

/** One result of the procedure. */
export interface ProcedureResult {
  readonly test: string;
  readonly category: Category;
  readonly status: StepVerdict["status"];
  readonly message?: string;
  readonly duration_ms?: number;
}

/** The report type of the procedure (step 5.1). */
export interface ProcedureReport {
  readonly agentUrl: string;
  readonly agentName: string;
  readonly agentVersion: string;
  readonly testDate: string;
  readonly summary: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly categories: Readonly<Record<CategoryMember, readonly ProcedureResult[]>>;
  readonly conformanceLevel: ConformanceLevel;
  /** set if too little could be examined for a level: `conformanceLevel` then says nothing about the agent */
  readonly outcome?: "inconclusive";
}

/** A result with its step and recommendation, as in the table of the procedure. */
export interface ProcedureRow extends ProcedureResult {
  readonly step: string;
  readonly recommendation: string;
  /** the test does not concern this agent */
  readonly isUnconcerned?: true;
  /** it passes, but one of its rules has a warning */
  readonly hasWarning?: true;
}

/** A run by the steps of the procedure. */
export interface Procedure {
  readonly rows: readonly ProcedureRow[];
  readonly report: ProcedureReport;
}

export function procedureOf(run: Run): Procedure {
  const evidence = evidenceOf(run);
  const rows = procedureTests.flatMap((test) => rowOf(test, evidence) ?? []);
  const isOpen = isInconclusive(run.report, rows);
  const { agentUrl, agentName, agentVersion, testDate } = run.report;
  const count = (status: StepVerdict["status"]): number => rows.filter((row) => row.status === status).length;
  return {
    rows,
    report: {
      agentUrl,
      agentName,
      agentVersion,
      testDate,
      summary: { total: rows.length, passed: count("pass"), failed: count("fail"), skipped: count("skip") },
      categories: byCategory(rows),
      conformanceLevel: isOpen ? "non-conformant" : levelOf(rows, run.report),
      ...(isOpen && { outcome: "inconclusive" }),
    },
  };
}

/** The exit code of a run with --procedure: 0 no test failed, 1 one did, 2 inconclusive. */
export const procedureExitCode = ({ report: { outcome, summary } }: Procedure): 0 | 1 | 2 =>
  outcome === "inconclusive" ? 2 : summary.failed > 0 ? 1 : 0;

/** Judges one test; undefined if it was not requested, as step 5.5 without --peer. */
function rowOf(test: ProcedureTest, evidence: RunEvidence): ProcedureRow | undefined {
  const results = resultsFor(test, evidence.report);
  const seen = [...(test.judge?.(evidence) ?? []), ...results.map((result) => seenIn(result, test))];
  if (seen.length === 0 && test.category === "interop") return undefined;
  const failed = seen.find(({ status }) => status === "fail");
  const { status, message } =
    failed ?? seen.find((each) => each.status === "pass") ?? skipReason(seen) ?? skips("not examined");
  const took = results.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0);
  const broken = results.find((result) => seenIn(result, test).status === "fail");
  return {
    step: test.step,
    test: test.test,
    category: test.category,
    status,
    ...(message !== undefined && { message }),
    ...(results.length > 0 && { duration_ms: Math.round(took * 10) / 10 }),
    recommendation: (failed && broken?.remedy) || test.fix,
    ...(status === "pass" && results.some(({ warning }) => warning !== undefined) && { hasWarning: true }),
    ...(seen.length > 0 && seen.every((each) => each.isUnconcerned) && { isUnconcerned: true }),
  };
}

/** Prefers a reason that the operator can act on to "does not apply". */
const skipReason = (seen: readonly StepVerdict[]): StepVerdict | undefined =>
  seen.find((each) => !each.isUnconcerned) ?? seen[0];

/** Returns the results that decide a test: those of versions that the card declares. */
function resultsFor({ rules = [] }: ProcedureTest, report: ConformanceReport): ConformanceResult[] {
  const declared = report.dialects.filter((each) => each.declared).map(({ dialect }) => dialect);
  return resultsOf(report).filter(
    ({ test, dialect, category, party }) =>
      rules.includes(test) &&
      party === undefined &&
      category !== "interop" &&
      (declared.length === 0 || declared.includes(dialect)),
  );
}

function seenIn(result: ConformanceResult, { alsoFails = [] }: ProcedureTest): StepVerdict {
  const { verdict, code, message, warning, info, enable } = result;
  const isStrict = code !== undefined && (alsoFails === "any" || alsoFails.includes(code));
  if (verdict === "fail" || isStrict)
    return { status: "fail", message: `${message ?? warning ?? info ?? result.title}${comparedIn(result)}` };
  if (verdict === "pass") return { status: "pass" };
  const why = message ?? verdict.replace("-", " ");
  return verdict === "not-applicable" ? unconcerned(why) : skips(enable === undefined ? why : `${why} (${enable})`);
}

/** Returns the observed and the expected behaviour: the procedure requires both. */
function comparedIn({ saw, want }: ConformanceResult): string {
  const sides = [saw === undefined ? [] : `saw ${saw}`, want === undefined ? [] : `want ${want}`].flat();
  return sides.length ? ` (${sides.join("; ")})` : "";
}

function byCategory(rows: readonly ProcedureRow[]): ProcedureReport["categories"] {
  const members = Object.keys(categories) as CategoryMember[];
  const bare = (row: ProcedureRow): ProcedureResult => {
    const { step: _step, recommendation: _fix, isUnconcerned: _unconcerned, hasWarning: _warning, ...result } = row;
    return result;
  };
  const groups = members.map((member) => [
    member,
    rows.filter(({ category }) => category === categories[member]).map(bare),
  ]);
  return Object.fromEntries(groups) as ProcedureReport["categories"];
}

/** Endings without a conclusion, because the run did not send all requests. */
const openEndings: ReadonlySet<ConformanceReport["ending"]> = new Set<ConformanceReport["ending"]>([
  "unreachable",
  "egress-refused",
  "no-card",
  "login-required",
  "payment-required",
  "no-usable-interface",
  "agent-gone",
  "interrupted",
  "cut-off",
]);

const basics = ["task-submission", "task-polling"];

function isInconclusive({ ending }: ConformanceReport, rows: readonly ProcedureRow[]): boolean {
  const hasFailed = rows.some(({ status }) => status === "fail");
  const isSent = rows.some(({ test, status }) => test === "task-submission" && status !== "skip");
  return openEndings.has(ending) || (!hasFailed && (!isSent || ending === "agent-exited"));
}

/** The four levels of step 5.2. */
function levelOf(rows: readonly ProcedureRow[], report: ConformanceReport): ConformanceLevel {
  const fails = (holds: (row: ProcedureRow) => boolean): boolean =>
    rows.some((row) => row.status === "fail" && holds(row));
  if (fails(({ category }) => category === "agent-card")) return "non-conformant";
  if (fails(({ test }) => basics.includes(test)) || report.ending === "no-interface") return "non-conformant";
  if (fails(({ category, test }) => category === "lifecycle" || test === "server-keeps-running")) return "minimal";
  const { streaming = false, pushNotifications = false } = report.capabilities ?? {};
  const isWhole = rows.every(({ status, isUnconcerned }) => status === "pass" || isUnconcerned);
  return isWhole && streaming && pushNotifications && report.ending === "done" ? "full" : "partial";
}
