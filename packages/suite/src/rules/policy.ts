import { ceilings } from "#rules";
import type { Breach, Finding } from "../define/finding.ts";
import type { VerdictName } from "../report/verdict.ts";
import type { Rule } from "./rule.ts";
import { isDraft } from "./rule-sets.ts";
import { type Ceiling, rowFor, type SeenIn, type Severity } from "./severity.ts";

/** The result of a finding: the verdict, with a warning or a remark. */
export interface Judgement {
  readonly verdict: VerdictName;
  readonly message?: string;
  readonly warning?: string;
  readonly info?: string;
}

/** The rule of a finding and the circumstances. */
export interface Judged extends SeenIn {
  readonly rule: Pick<Rule, "id" | "level" | "basis" | "since">;
  /** the user chose the stricter reading of unclear texts */
  readonly strict: boolean;
  /** the agent declares the version */
  readonly declared: boolean;
}

/** Decides the severity of every finding: by the rule's level and basis, or by a row of `rules/severity.yaml`. */
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
  // An unused permission never causes a warning.
  return severity === "warning" && rule.level === "MAY" ? "info" : severity;
}

function byLevel({ level, basis, since }: Judged["rule"]): Severity {
  if (level === "MAY") return "info";
  const must = level === "MUST" || level === "MUST_NOT";
  const firm = basis === "stated" || basis === "schema" || basis === "prose";
  // A requirement that no released text contains cannot cause a failure.
  return must && firm && !isUnreleased(since) ? "fail" : "warning";
}

function breachJudged(finding: Breach, judged: Judged): Judgement {
  const severity = severityOf(finding, judged);
  if (severity !== "fail") return told(severity, finding.message);
  const { declared, rule } = judged;
  if (!declared) return told(mostWhen("undeclared-version"), `not declared, but served: ${finding.message}`);
  return told(isDraft(rule.since) ? mostWhen("draft") : severity, finding.message);
}

const isUnreleased = (since: Rule["since"]): boolean => since === "main" || isDraft(since);

const mostWhen = (circumstance: Ceiling["when"]): Severity =>
  ceilings.find(({ when }) => when === circumstance)?.most ?? "warning";

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

/** Returns the most severe of several findings about one rule, or the first of equals. */
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
