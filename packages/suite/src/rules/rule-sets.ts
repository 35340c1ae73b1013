import type { DialectVersion } from "@assay/protocol";

/**
 * Rules with today's checks, under one name per published text. A level refers to a rule set. A set is frozen when it
 * is released. A new or stricter check needs a new set.
 */
const publishedSets = ["1.0.1-r1", "1.0.0-r1"] as const;
const olderSets = { "0.3": "0.3.0-r1", "0.2": "0.2.6-r1", "0.1": "0.1.0-r1" } as const;

/**
 * The draft of a coming version: the rules of a published set, and those of the draft in a file of the same name. Its
 * rules never fail an agent (ADR 28).
 */
const drafts = { "1.1-draft1": { version: "1.1", extends: "1.0.1-r1" } } as const;
export type DraftSet = keyof typeof drafts;

/** The sets that a user can choose. */
export const ruleSets = [...publishedSets, ...(Object.keys(drafts) as DraftSet[])] as const;
export type RuleSet = (typeof publishedSets)[number] | DraftSet | (typeof olderSets)[keyof typeof olderSets];

/** The current rules. */
export const defaultRuleSet: RuleSet = "1.0.1-r1";

/** Returns the rule set for a version. Only 1.0 has several sets. */
export const ruleSetFor = (dialect: DialectVersion, chosen: RuleSet = defaultRuleSet): RuleSet =>
  dialect === "1.0" ? chosen : olderSets[dialect];

export const isDraft = (set: string | undefined): set is DraftSet => set !== undefined && Object.hasOwn(drafts, set);

/** Returns the published set that judges the rules of released texts. */
export const publishedSetOf = (set: RuleSet): RuleSet => (isDraft(set) ? drafts[set].extends : set);

/** Returns the newest draft of a version, if there is one. */
export const draftOf = (version: string): DraftSet | undefined =>
  (Object.keys(drafts) as DraftSet[]).findLast((set) => drafts[set].version === version);
