import type { DialectVersion } from "@assay/protocol";
import { checks as all, clientChecks } from "../../checks/index.ts";
import type { Check } from "../../define/check.ts";
import type { Observation } from "../../define/observation.ts";
import { withNeeds } from "../../define/observation.ts";
import type { Depth } from "../../report/events.ts";
import type { Category, Tag } from "../../report/result.ts";
import { catalogues, defaultRuleSet, drafts, isIn, type RuleSet, ruleOf, versionsWith } from "../../rules/catalogue.ts";
import { permissions } from "../../rules/permissions.ts";
import type { Rule } from "../../rules/rule.ts";
import { type DraftSet, isDraft } from "../../rules/rule-sets.ts";
import { type Filter, select } from "./select.ts";

/** A description of a check, for lists and explanations. */
export interface CheckInfo {
  readonly id: string;
  readonly title: string;
  readonly remedy: string;
  readonly category: Category;
  readonly tags: readonly Tag[];
  readonly kind: Check["kind"];
  /** the messages of its observations, which other checks share */
  readonly messages: number;
  /** the lowest depth that includes it */
  readonly depth: Depth;
  readonly rude: boolean;
  readonly needs: readonly string[];
  /** the protocol versions that have its rule, newest first */
  readonly dialects: readonly DialectVersion[];
}

export const checks: readonly CheckInfo[] = all.map((check) => {
  const messages = messagesOf(check);
  const { title = "", remedy = "", category, tags = [], requires } = ruleOf(check.id)!;
  return {
    id: check.id,
    title,
    remedy,
    category,
    tags,
    kind: check.kind,
    messages,
    depth: depthOf(check),
    rude: check.kind === "active" && check.rude === true,
    needs: check.requires ?? requires,
    dialects: versionsWith(check.id),
  };
});

function messagesOf(check: Check): number {
  const needed = new Set<Observation<unknown>>();
  for (const one of madeFor(check)) withNeeds(one, needed);
  return [...needed].reduce((sum, { messages }) => sum + messages, 0);
}

/** Returns the observations that are made for a check. */
function madeFor(check: Check): readonly Observation<unknown>[] {
  switch (check.kind) {
    case "card":
      return [];
    case "passive":
      return check.shownBy ?? [];
    case "active":
      return Object.values(check.uses);
  }
}

function depthOf(check: Check): Depth {
  if (check.kind === "card") return "card";
  const costs = madeFor(check).map((one) => [...withNeeds(one)].some(({ messages }) => messages > 0));
  // An active check needs all of its observations, a passive one any of them.
  const isCostly = check.kind === "active" ? costs.includes(true) : costs.length > 0 && !costs.includes(false);
  return isCostly ? "quick" : "free";
}

/** Returns the checks that match a filter. Throws UsageError for a pattern that matches none. */
export const selectChecks = (filter: Filter): readonly CheckInfo[] => select(checks, filter).selected;

/** A description of the check of a client rule. */
export interface ClientCheckInfo {
  readonly id: string;
  readonly title: string;
  readonly remedy: string;
  /** the situations that show it; empty if any call does */
  readonly situations: readonly string[];
}

/** Describes how a client rule is examined; undefined if it is not. */
export function clientCheckOf(id: string): ClientCheckInfo | undefined {
  const [first, ...others] = clientChecks.filter((check) => check.id === id);
  if (!first) return undefined;
  const isSeenAnywhere = [first, ...others].some(({ kind }) => kind === "client-passive");
  const situations = [first, ...others].flatMap((check) => (check.kind === "client-situation" ? check.in : []));
  const { title = "", remedy = "" } = ruleOf(id)!;
  return { id, title, remedy, situations: isSeenAnywhere ? [] : situations };
}

/** Returns the ids of the client rules that match a filter and are in a rule set. */
export const selectClientRules = (filter: Filter, set: RuleSet = defaultRuleSet): readonly string[] => [
  ...new Set(
    select(clientChecks, filter)
      .selected.map(({ id }) => id)
      .filter((id) => !isDraft(ruleOf(id)?.since) || isIn(ruleOf(id)!, set)),
  ),
];

/** The state of a catalogue row: the check that examines it, or the reason why none does. */
export interface CoverageRow {
  readonly rule: Rule;
  readonly ends: "checked" | "no-check-yet" | "client" | "permission" | "unobservable";
  /** the promise that is checked */
  readonly by?: string;
  readonly because?: string;
}

/** Returns the state of each rule of a version, or of those that a draft adds. */
export function coverage(dialect: DialectVersion | DraftSet = "1.0"): readonly CoverageRow[] {
  const checked = new Set([...clientChecks, ...checks].map(({ id }) => id));
  const rules = isDraft(dialect) ? drafts[dialect] : catalogues[dialect];
  return rules.map((rule): CoverageRow => {
    if (checked.has(rule.id)) return { rule, ends: "checked", by: rule.title! };
    if (rule.actor === "client" && rule.testability !== "unobservable")
      return { rule, ends: "client", because: "a rule for clients, which Assay does not judge yet" };
    if (rule.testability === "unobservable") return { rule, ends: "unobservable", because: rule.check };
    const permission = permissions[rule.id];
    if (permission) return { rule, ends: "permission", because: permission.because };
    return { rule, ends: "no-check-yet" };
  });
}
