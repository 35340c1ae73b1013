import type { Binding } from "@assay/protocol";
import { catalogue } from "../generated/catalogue-1.0.ts";
import type { Category } from "../report/result.ts";
import { anchors } from "./anchors.ts";
import type { Rule } from "./rule.ts";

export { catalogue };

/**
 * Rules with the checks there are today, under one name for each published text: what a level refers to. A set is frozen
 * once it is released; a new or stricter check makes a new one.
 */
export const ruleSets = ["1.0.1-r1", "1.0.0-r1"] as const;
export type RuleSet = (typeof ruleSets)[number];

/** The rules of now, unless others are asked for. */
export const defaultRuleSet: RuleSet = "1.0.1-r1";

/** Whether a rule was part of the text that a set stands for. What came after the last tag is told, and fails nobody. */
export const isIn = ({ since }: Pick<Rule, "since">, set: RuleSet): boolean =>
  since === undefined || (set === "1.0.1-r1" && since !== undefined);

const byId = new Map(catalogue.map((rule) => [rule.id, rule]));

export const ruleOf = (id: string): Rule | undefined => byId.get(id);

const bindingWords: Record<Binding, Rule["bindings"][number]> = {
  JSONRPC: "jsonrpc",
  "HTTP+JSON": "rest",
  GRPC: "grpc",
};

/** Whether a rule speaks about a binding. */
export const concerns = (rule: Rule, binding: Binding): boolean => rule.bindings.includes(bindingWords[binding]);

const areas: Record<string, Category> = {
  CARD: "agent-card",
  CACHE: "agent-card",
  SIG: "agent-card",
  XCARD: "agent-card",
  LEG: "data-model",
  SEND: "lifecycle",
  GET: "lifecycle",
  LIST: "lifecycle",
  CANCEL: "lifecycle",
  LIFE: "lifecycle",
  CTX: "lifecycle",
  HIST: "lifecycle",
  INTASK: "lifecycle",
  STREAM: "streaming",
  SUB: "streaming",
  PUSH: "push-notifications",
  ERR: "error-handling",
  CAP: "error-handling",
  AUTH: "security",
  SEC: "security",
  TEN: "security",
  VER: "versioning",
  EXT: "versioning",
  DATA: "data-model",
  JSONRPC: "bindings",
  REST: "bindings",
  GRPC: "bindings",
  BIND: "interop",
  META: "interop",
};

/** The part of the report a rule belongs to: by the area its id names. */
export const categoryOf = (id: string): Category => areas[id.split("-", 1)[0]!] ?? "interop";

/** Where the text can be read: the section of the specification, or the guide that carries the rule. */
export function specUrl(section: string): string {
  if (section.endsWith(".md")) {
    const page = section.slice(0, -".md".length);
    return `https://a2a-protocol.org/latest/${page.startsWith("whats-new") ? "" : "topics/"}${page}/`;
  }
  const anchor = anchors[section];
  return `https://a2a-protocol.org/latest/specification/${anchor === undefined ? "" : `#${anchor}`}`;
}
