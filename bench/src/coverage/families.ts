import type { PromptKind } from "@assay/suite";
import { type ConformanceReport, type ConformanceResult, resultsOf, ruleKey } from "@assay/suite/report";

/** Counts of the rules that concern an agent, once for each version, for any number of interfaces. */
export interface Examination extends Counts {
  readonly families: readonly FamilyCount[];
  readonly open: readonly OpenRule[];
}

interface Counts {
  readonly applicable: number;
  readonly examined: number;
  /** rules that only the operator can enable, or that this agent gives no opportunity to examine */
  readonly excused: number;
}

export interface FamilyCount extends Counts {
  /** the area in the rule ids */
  readonly family: string;
}

/** The reason why a rule was not examined, as far as anyone can change it. */
export type Opening =
  /** only the operator can enable it */
  | "operator"
  /** no message makes this agent show it */
  | "not-shown"
  /** the agent could have shown it */
  | "ours";

/** A rule that concerns the agent and was not examined. */
export interface OpenRule {
  readonly rule: string;
  readonly because: string;
  readonly opening: Opening;
}

/**
 * Reasons that only the operator can remove: with credentials, a webhook, hosts, permission to be rude, or
 * expectations.
 */
const operatorReasons: readonly string[] = ["credentials", "login", "payment", "egress", "webhook", "rude"];

function openingOf({ unexamined, enable = "" }: ConformanceResult, shows: readonly PromptKind[]): Opening {
  if (unexamined !== undefined && operatorReasons.includes(unexamined)) return "operator";
  if (/^(expectations|production)\b/.test(enable)) return "operator";
  const prompt = /^prompts\.(\w+)/.exec(enable)?.[1];
  return prompt !== undefined && !(shows as readonly string[]).includes(prompt) ? "not-shown" : "ours";
}

const familyOf = ({ test }: ConformanceResult): string => test.replace(/^V\d\d-/, "").split("-", 1)[0]!;

/** Counts the rules that were examined on an agent whose behaviours are known. */
export function examinationOf(report: ConformanceReport, shows: readonly PromptKind[]): Examination {
  const rules = new Map<string, ConformanceResult[]>();
  for (const result of resultsOf(report)) {
    if (result.verdict === "not-applicable") continue;
    const same = rules.get(ruleKey(result));
    if (same) same.push(result);
    else rules.set(ruleKey(result), [result]);
  }
  const counts = new Map<string, { applicable: number; examined: number; excused: number }>();
  const open: OpenRule[] = [];
  for (const results of rules.values()) {
    const family = familyOf(results[0]!);
    const count = counts.get(family) ?? { applicable: 0, examined: 0, excused: 0 };
    counts.set(family, count);
    count.applicable += 1;
    if (results.some(({ status }) => status !== "skip")) {
      count.examined += 1;
      continue;
    }
    const rule = openRuleOf(results, shows);
    if (rule.opening !== "ours") count.excused += 1;
    open.push(rule);
  }
  const families = [...counts].map(([family, count]) => ({ family, ...count }));
  const sum = (member: keyof Counts): number => families.reduce((all, each) => all + each[member], 0);
  return { families, applicable: sum("applicable"), examined: sum("examined"), excused: sum("excused"), open };
}

/** If Assay could have examined the rule on one interface, that result counts, whatever the others are. */
function openRuleOf(results: readonly ConformanceResult[], shows: readonly PromptKind[]): OpenRule {
  const told = results.find((result) => openingOf(result, shows) === "ours") ?? results[0]!;
  const { test, dialect, verdict, unexamined, enable, rootCause, message } = told;
  const reason = unexamined ?? (rootCause === undefined ? verdict : `${verdict} by ${rootCause}`);
  return {
    rule: dialect === "1.0" ? test : `${test} (${dialect})`,
    because: [reason, enable ?? message].filter(Boolean).join(": "),
    opening: openingOf(told, shows),
  };
}

/** Returns the examined percentage of the rules that need nothing from the operator. */
export const shareOf = ({ applicable, examined, excused }: Counts): number =>
  applicable === excused ? 100 : (100 * examined) / (applicable - excused);
