import { ceilings } from "#rules";
import type { Breach, Finding } from "../define/finding.ts";
import type { VerdictName } from "../report/verdict.ts";
import type { Rule } from "./rule.ts";
import { rowFor, type SeenIn, type Severity } from "./severity.ts";

/** What a finding comes to: the verdict, and where it goes with a warning or a remark. */
export interface Judgement {
  readonly verdict: VerdictName;
  readonly message?: string;
  readonly warning?: string;
  readonly info?: string;
}

/** The rule that a finding is about, and the circumstances under which it was made. */
export interface Judged extends SeenIn {
  readonly rule: Pick<Rule, "id" | "level" | "basis" | "since">;
  /** the stricter reading of unclear texts was asked for */
  readonly strict: boolean;
  /** the agent claims to speak the version */
  readonly declared: boolean;
}

/**
 * The one place that decides how severe a finding is: by level and basis of its rule, unless a row of
 * `rules/severity.yaml` says otherwise.
 */
export function judgementOf(finding: Finding, judged: Judged): Judgement {
  switch (finding.is) {
    case "holds":
      return { verdict: "pass", ...(finding.note !== undefined && { info: finding.note }) };
    case "breach":
      return breachJudged(finding, judged);
    case "not-applicable":
      return { verdict: "not-applicable", message: finding.because };
    case "not-examined":
      return { verdict: "not-examined", message: finding.because };
  }
}

function severityOf({ code }: Breach, judged: Judged): Severity {
  const { rule, strict } = judged;
  const row = rowFor(rule.id, code, judged);
  if (!row) return byLevel(rule);
  const severity = strict ? (row.strict ?? row.becomes) : row.becomes;
  if (severity === "level") return byLevel(rule);
  // A permission that is made no use of is never worth a warning.
  return severity === "warning" && rule.level === "MAY" ? "info" : severity;
}

function byLevel({ level, basis, since }: Judged["rule"]): Severity {
  if (level === "MAY") return "info";
  const must = level === "MUST" || level === "MUST_NOT";
  const firm = basis === "stated" || basis === "schema" || basis === "prose";
  // What no released text says yet cannot fail.
  return must && firm && since !== "main" ? "fail" : "warning";
}

function breachJudged(finding: Breach, judged: Judged): Judgement {
  const severity = severityOf(finding, judged);
  const ceiling = judged.declared ? undefined : ceilings.find(({ when }) => when === "undeclared-version");
  return ceiling && severity === "fail"
    ? told(ceiling.most, `not claimed, but answered to: ${finding.message}`)
    : told(severity, finding.message);
}

function told(severity: Severity, message: string): Judgement {
  switch (severity) {
    case "fail":
      return { verdict: "fail", message };
    case "warning":
      return { verdict: "pass", warning: message };
    case "info":
      return { verdict: "pass", info: message };
    case "pass":
      return { verdict: "pass" };
  }
}

/** Which of several findings about the same rule decides: the gravest; of equals, the first. */
export const gravest = (findings: readonly Finding[], judged: Judged): Finding =>
  findings.reduce((worst, next) =>
    weightOf(judgementOf(next, judged)) > weightOf(judgementOf(worst, judged)) ? next : worst,
  );

function weightOf({ verdict, warning, info }: Judgement): number {
  switch (verdict) {
    case "fail":
      return 6;
    case "pass":
      return warning !== undefined ? 5 : info !== undefined ? 4 : 3;
    case "blocked":
    case "error":
      return 2;
    case "not-examined":
      return 1;
    case "not-applicable":
      return 0;
  }
}
