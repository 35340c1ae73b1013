import {
  type ConformanceReport,
  failuresOf,
  outcomeWord,
  type Unexamined,
  unexaminedOf,
  warningsOf,
} from "@assay/suite/report";
import { reasons } from "@assay/suite/text";
import { z } from "zod";
import { untrusted, untrustedText } from "../untrusted.ts";
import { findingLine, lineOf } from "./finding.ts";

/** The result of a run in a few lines: the outcome and the most important fixes. */
export const runSummary = z.strictObject({
  run: z.string().describe("name of the run for get_finding and diff_runs"),
  outcome: z.enum(["conformant", "not-conformant", "inconclusive"]),
  headline: z.string(),
  level: z.string().nullable(),
  level_because: untrustedText,
  agent: untrustedText.describe("name and version on the card, or the command of a client"),
  rules_examined: z.number(),
  rules_applicable: z.number(),
  messages_sent: z.number(),
  failures: z.number().describe("causes to fix"),
  warnings: z.number(),
  warning_rules: z.array(z.string()).optional().describe("pass a rule to get_finding to see its warning"),
  fix_first: z.array(findingLine).describe("the most important failures, in the order to fix them"),
  not_examined: z.array(z.strictObject({ reason: z.string(), means: z.string(), rules: z.number() })).optional(),
  message: untrustedText.optional().describe("why the run ended early"),
  hint: untrustedText.optional(),
  not_contacted: z.array(untrustedText).optional().describe("interfaces that were not tested, and why"),
  next: z.string(),
});
export type RunSummary = z.infer<typeof runSummary>;

/** The maximum number of interfaces to name. */
const mostInterfaces = 5;
const mostWarnings = 10;

export function summaryOf(report: ConformanceReport, limit: number): RunSummary {
  const failures = failuresOf(report);
  const { summary, leftOut, message, hint, agentName, agentVersion, agentUrl } = report;
  const forced = leftOut.filter((each) => each.forced);
  const warnings = warningsOf(report);
  const unexamined = countsByReason(report);
  // get_finding shows the failure of a rule that has both, for example in two versions.
  const failing = new Set(failures.flatMap(({ test, also }) => [test, ...also]));
  const warningRules = warnings.map(({ test }) => test).filter((rule) => !failing.has(rule));
  return {
    run: report.run,
    outcome: report.outcome,
    headline: outcomeWord(report),
    level: report.conformanceLevel,
    level_because: untrusted(report.levelBecause),
    agent: untrusted(agentName ? `${agentName} ${agentVersion}` : agentUrl, 120),
    rules_examined: summary.examined,
    rules_applicable: summary.applicable,
    messages_sent: summary.workingMessages,
    failures: failures.length,
    warnings: warnings.length,
    ...(warningRules.length > 0 && { warning_rules: warningRules.slice(0, mostWarnings) }),
    fix_first: failures.slice(0, limit).map((group, index) => lineOf(group, index + 1)),
    ...(unexamined.length > 0 && { not_examined: unexamined }),
    ...(message !== undefined && { message: untrusted(message) }),
    ...(hint !== undefined && { hint: untrusted(hint) }),
    ...(forced.length > 0 && {
      not_contacted: forced
        .slice(0, mostInterfaces)
        .map(({ interface: { url, binding }, because }) => untrusted(`${binding} ${url}: ${because}`)),
    }),
    next: nextStep(report, failures.length, limit),
  };
}

function countsByReason(report: ConformanceReport): { reason: string; means: string; rules: number }[] {
  const counts = new Map<Unexamined, number>();
  for (const { reason, rules } of unexaminedOf(report)) counts.set(reason, (counts.get(reason) ?? 0) + rules);
  return [...counts].map(([reason, rules]) => ({ reason, means: reasons[reason], rules }));
}

function nextStep({ outcome, run, message }: ConformanceReport, failures: number, limit: number): string {
  const rest = failures > limit ? ` fix_first leaves out ${failures - limit}: raise limit to see them.` : "";
  if (failures > 0)
    return `Call get_finding with run "${run}" and finding 1, fix that one, and test again. Failures with one cause are one finding.${rest}`;
  if (outcome === "inconclusive")
    return `Read ${message === undefined ? "level_because" : "message and hint"}: too little was examined to decide.`;
  return `Nothing to fix. Call get_finding with a rule of warning_rules to see a warning. The resource assay://runs/${run} has all of them, and the rules that were not examined.`;
}
