import type { DialectVersion } from "@assay/protocol";

/**
 * Rules with the checks there are today, under one name for each published text: what a level refers to. A set is frozen
 * once it is released; a new or stricter check makes a new one.
 */
export const ruleSets = ["1.0.1-r1", "1.0.0-r1"] as const;
const olderSets = { "0.3": "0.3.0-r1", "0.2": "0.2.6-r1", "0.1": "0.1.0-r1" } as const;
export type RuleSet = (typeof ruleSets)[number] | (typeof olderSets)[keyof typeof olderSets];

/** The rules of now, unless others are asked for. */
export const defaultRuleSet: RuleSet = "1.0.1-r1";

/** The set by which a version is judged; of 1.0 there are two to choose from. */
export const ruleSetFor = (dialect: DialectVersion, chosen: RuleSet = defaultRuleSet): RuleSet =>
  dialect === "1.0" ? chosen : olderSets[dialect];
