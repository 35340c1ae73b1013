import type { DialectVersion } from "@assay/protocol";

/**
 * Rules with today's checks, under one name per published text. A level refers to a rule set. A set is frozen when it
 * is released. A new or stricter check needs a new set.
 */
export const ruleSets = ["1.0.1-r1", "1.0.0-r1"] as const;
const olderSets = { "0.3": "0.3.0-r1", "0.2": "0.2.6-r1", "0.1": "0.1.0-r1" } as const;
export type RuleSet = (typeof ruleSets)[number] | (typeof olderSets)[keyof typeof olderSets];

/** The current rules. */
export const defaultRuleSet: RuleSet = "1.0.1-r1";

/** Returns the rule set for a version. Only 1.0 has two sets. */
export const ruleSetFor = (dialect: DialectVersion, chosen: RuleSet = defaultRuleSet): RuleSet =>
  dialect === "1.0" ? chosen : olderSets[dialect];
