import type { Binding, DialectVersion } from "@assay/protocol";
import { catalogues } from "#rules";
import { anchors } from "./anchors.ts";
import type { Rule } from "./rule.ts";
import type { RuleSet } from "./rule-sets.ts";

export { defaultRuleSet, type RuleSet, ruleSetFor } from "./rule-sets.ts";
export { catalogues };

/** Whether a rule was part of the text that a set stands for. What came after the last tag is told, and fails no agent. */
export const isIn = ({ since }: Pick<Rule, "since">, set: RuleSet): boolean =>
  since === undefined || set !== "1.0.0-r1";

const byId = new Map(
  Object.entries(catalogues).map(([dialect, rules]) => [dialect, new Map(rules.map((rule) => [rule.id, rule]))]),
);

/** A rule as a version of the protocol has it; undefined where it has none such. */
export const ruleIn = (dialect: DialectVersion, id: string): Rule | undefined => byId.get(dialect)?.get(id);

/** The same with the level that it has in a set. */
export function ruleOfSet(dialect: DialectVersion, id: string, set: RuleSet): Rule | undefined {
  const rule = ruleIn(dialect, id);
  return rule?.levelIn100 && set === "1.0.0-r1" ? { ...rule, level: rule.levelIn100 } : rule;
}

const newestFirst = ["1.0", "0.3", "0.2", "0.1"] as const;

/** A rule as the newest version that has it puts it. */
export const ruleOf = (id: string): Rule | undefined => {
  for (const dialect of newestFirst) {
    const rule = ruleIn(dialect, id);
    if (rule) return rule;
  }
  return undefined;
};

/** The versions that have a rule, the newest first. */
export const versionsWith = (id: string): DialectVersion[] => newestFirst.filter((dialect) => ruleIn(dialect, id));

const bindingWords: Record<Binding, Rule["bindings"][number]> = {
  JSONRPC: "jsonrpc",
  "HTTP+JSON": "rest",
  GRPC: "grpc",
};

/** Whether a rule speaks about a binding. */
export const concerns = (rule: Rule, binding: Binding): boolean => rule.bindings.includes(bindingWords[binding]);

const tags = { "0.3": "v0.3.0", "0.2": "v0.2.6", "0.1": "v0.1.0" } as const;

/** Where the text can be read: the section of the specification, or the guide that carries the rule. */
export function specUrl(section: string, dialect: DialectVersion = "1.0"): string {
  // How versions live beside each other is said by the newest of them.
  const newer = /^(.+) of 1\.0$/.exec(section)?.[1];
  if (newer !== undefined) return specUrl(newer);
  // Later pages no longer say what was asked then; the tag does.
  if (dialect !== "1.0") return `https://github.com/a2aproject/A2A/blob/${tags[dialect]}/docs/specification.md`;
  if (section.endsWith(".md")) {
    const page = section.slice(0, -".md".length);
    return `https://a2a-protocol.org/latest/${page.startsWith("whats-new") ? "" : "topics/"}${page}/`;
  }
  const anchor = anchors[section];
  return `https://a2a-protocol.org/latest/specification/${anchor === undefined ? "" : `#${anchor}`}`;
}
