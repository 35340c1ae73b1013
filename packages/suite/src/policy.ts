import type { Finding } from "./finding.ts";
import type { VerdictName } from "./report/verdict.ts";
import { defaultRuleSet, type RuleSet } from "./rules/catalogue.ts";
import type { Rule } from "./rules/rule.ts";

/** What a finding comes to: the verdict, and where it goes with a warning or a remark. */
export interface Judgement {
  readonly verdict: VerdictName;
  readonly message?: string;
  readonly warning?: string;
  readonly info?: string;
}

/**
 * The table of verdicts (DESIGN §7). Only a broken MUST that the specification itself states can fail; a SHOULD, a
 * rule that we derived or that only a guide carries, and a lenient reading are warnings; a MAY is a remark. A crash
 * fails whatever the rule's level.
 */
export function judgementOf(rule: Judged, finding: Finding, strict: boolean, set: RuleSet = defaultRuleSet): Judgement {
  switch (finding.is) {
    case "holds":
      return { verdict: "pass", ...(finding.note !== undefined && { info: finding.note }) };
    case "broken":
      return breach(rule, finding.message);
    case "tolerated":
      // Who is judged by the text of 1.0.0 is right with its numbers.
      if (set === "1.0.0-r1" && finding.under === "AMB-01") return { verdict: "pass" };
      return strict ? breach(rule, finding.message) : warning(rule, finding.message);
    case "odd":
      return warning(rule, finding.message);
    case "crashed":
      return { verdict: "fail", message: finding.message };
    case "not-applicable":
      return { verdict: "not-applicable", message: finding.because };
    case "not-examined":
      return { verdict: "not-examined", message: finding.because };
  }
}

/** What the policy needs to know of a rule. */
type Judged = Pick<Rule, "level" | "basis" | "since">;

function breach(rule: Judged, message: string): Judgement {
  const must = rule.level === "MUST" || rule.level === "MUST_NOT";
  const firm = rule.basis === "stated" || rule.basis === "schema" || rule.basis === "prose";
  // What no released text says yet fails nobody.
  return must && firm && rule.since !== "main" ? { verdict: "fail", message } : warning(rule, message);
}

const warning = ({ level }: Pick<Rule, "level">, message: string): Judgement =>
  level === "MAY" ? { verdict: "pass", info: message } : { verdict: "pass", warning: message };

/** Which of several findings about the same rule decides: the gravest; of equals, the first. */
export function gravest(rule: Judged, findings: readonly Finding[], strict: boolean): Finding {
  return findings.reduce((worst, next) =>
    weightOf(judgementOf(rule, next, strict)) > weightOf(judgementOf(rule, worst, strict)) ? next : worst,
  );
}

function weightOf({ verdict, warning: warned, info }: Judgement): number {
  switch (verdict) {
    case "fail":
      return 6;
    case "pass":
      return warned !== undefined ? 5 : info !== undefined ? 4 : 3;
    case "blocked":
    case "error":
      return 2;
    case "not-examined":
      return 1;
    case "not-applicable":
      return 0;
  }
}
