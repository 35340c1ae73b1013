import { type Binding, type DialectVersion, newestFirst } from "@assay/protocol";
import { catalogues, drafts } from "#rules";
import { anchors } from "./anchors.ts";
import type { Rule } from "./rule.ts";
import { type DraftSet, isDraft, type RuleSet } from "./rule-sets.ts";

export { defaultRuleSet, type RuleSet, ruleSetFor } from "./rule-sets.ts";
export { catalogues, drafts };

/** Every rule of every version and draft. A rule that several versions share occurs once for each. */
export const everyRule: readonly Rule[] = [...Object.values(catalogues), ...Object.values(drafts)].flat();

/**
 * Returns true if the rule set's text contains the rule. Rules added after the last tag are reported and never fail an
 * agent.
 */
export const isIn = ({ since }: Pick<Rule, "since">, set: RuleSet): boolean =>
  since === undefined || (isDraft(since) ? since === set : set !== "1.0.0-r1");

// A draft has the form of 1.0, so its rules apply to interfaces of 1.0.
const byId = new Map(
  Object.entries({ ...catalogues, "1.0": [...catalogues["1.0"], ...Object.values(drafts).flat()] }).map(
    ([dialect, rules]) => [dialect, new Map(rules.map((rule) => [rule.id, rule]))],
  ),
);

/** Returns a rule as a protocol version has it, or undefined. */
export const ruleIn = (dialect: DialectVersion, id: string): Rule | undefined => byId.get(dialect)?.get(id);

/** Returns a rule with its level in a rule set. */
export function ruleOfSet(dialect: DialectVersion, id: string, set: RuleSet): Rule | undefined {
  const rule = ruleIn(dialect, id);
  return rule?.levelIn100 && set === "1.0.0-r1" ? { ...rule, level: rule.levelIn100 } : rule;
}

/** Returns a rule as the newest version that has it. */
export const ruleOf = (id: string): Rule | undefined => {
  for (const dialect of newestFirst) {
    const rule = ruleIn(dialect, id);
    if (rule) return rule;
  }
  return undefined;
};

/** Returns the versions that have a rule, newest first. */
export const versionsWith = (id: string): DialectVersion[] => newestFirst.filter((dialect) => ruleIn(dialect, id));

const bindingWords: Record<Binding, Rule["bindings"][number]> = {
  JSONRPC: "jsonrpc",
  "HTTP+JSON": "rest",
  GRPC: "grpc",
};

/** Returns true if a rule concerns a binding. */
export const concerns = (rule: Rule, binding: Binding): boolean => rule.bindings.includes(bindingWords[binding]);

const repository = "https://github.com/a2aproject/A2A/blob";
const tags = { "0.3": "v0.3.0", "0.2": "v0.2.6", "0.1": "v0.1.0" } as const;

/** The commits of drafts, which have no tag. */
const commits: Record<DraftSet, string> = { "1.1-draft1": "28491879ff41a9c230fb51f3f7bd6096b80cc341" };

/** Returns the text that has a rule: the draft that adds it, or else the version of the interface. */
export const textWith = ({ since }: Pick<Rule, "since">, dialect: DialectVersion): DialectVersion | DraftSet =>
  isDraft(since) ? since : dialect;

/** Returns the address of the text: the section of the specification, or the guide that contains the rule. */
export function specUrl(section: string, dialect: DialectVersion | DraftSet = "1.0"): string {
  if (isDraft(dialect)) return `${repository}/${commits[dialect]}/docs/specification.md`;
  // The newest version describes how versions coexist.
  const newer = /^(.+) of 1\.0$/.exec(section)?.[1];
  if (newer !== undefined) return specUrl(newer);
  // Later pages drop the older requirements, so the link names the tag.
  if (dialect !== "1.0") return `${repository}/${tags[dialect]}/docs/specification.md`;
  if (section.endsWith(".md")) {
    const page = section.slice(0, -".md".length);
    return `https://a2a-protocol.org/latest/${page.startsWith("whats-new") ? "" : "topics/"}${page}/`;
  }
  const anchor = anchors[section];
  return `https://a2a-protocol.org/latest/specification/${anchor === undefined ? "" : `#${anchor}`}`;
}
