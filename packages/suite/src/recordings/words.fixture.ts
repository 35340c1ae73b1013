import type { Binding, DialectVersion } from "@assay/protocol";
import type { Findings } from "../define/check.ts";
import type { Breach, Finding } from "../define/finding.ts";
import { type RuleSet, ruleIn, ruleSetFor } from "../rules/catalogue.ts";
import { judgementOf } from "../rules/policy.ts";
import { isDraft, ruleSets } from "../rules/rule-sets.ts";
import { rowFor, type SeverityRow } from "../rules/severity.ts";

/** The rule of a finding, and its place. */
export interface FoundIn {
  readonly rule: string;
  readonly dialect: DialectVersion;
  /** absent for findings about the card */
  readonly binding?: Binding | undefined;
}

/**
 * Returns the findings in one line: `holds`, or `other-error: warning, strictly fail`. A rule set that weighs it
 * differently from the current one is named: `error-table-1.0.0: warning, strictly fail, by 1.0.0-r1 pass`.
 */
export const wordsOf = (found: Findings, where: FoundIn): string =>
  [...new Set([found].flat().map((finding) => wordOf(finding, where)))].join("; ");

function wordOf(finding: Finding, where: FoundIn): string {
  if (finding.is !== "breach") return finding.is;
  const severities = setsOf(where).map((set) => [set, severityOf(finding, where, set)] as const);
  const [[, usual] = ["", ""], ...others] = severities;
  const differing = others
    .filter(([, severity]) => severity !== usual)
    .map(([set, severity]) => `, by ${set} ${severity}`);
  return `${finding.code}: ${usual}${differing.join("")}`;
}

const setsOf = ({ dialect, rule }: FoundIn): readonly RuleSet[] => {
  if (dialect !== "1.0") return [ruleSetFor(dialect)];
  const since = ruleIn(dialect, rule)?.since;
  return isDraft(since) ? [since] : ruleSets.filter((set) => !isDraft(set));
};

function severityOf(finding: Breach, { rule, dialect, binding }: FoundIn, set: RuleSet): string {
  const [usual, strictly] = [false, true].map((strict) => {
    const judged = { rule: ruleIn(dialect, rule)!, dialect, set, binding, strict, declared: true };
    const { verdict, warning, info } = judgementOf(finding, judged);
    return verdict !== "pass" ? verdict : warning !== undefined ? "warning" : info !== undefined ? "info" : "pass";
  });
  return usual === strictly ? `${usual}` : `${usual}, strictly ${strictly}`;
}

/** Returns the rows of severity.yaml that match findings, in any rule set. */
export const rowsOf = (found: Findings, where: FoundIn): SeverityRow[] =>
  [found]
    .flat()
    .flatMap((finding) =>
      finding.is === "breach"
        ? setsOf(where).flatMap((set) => rowFor(where.rule, finding.code, { ...where, set }) ?? [])
        : [],
    );
