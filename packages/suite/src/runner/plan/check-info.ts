import type { DialectVersion } from "@assay/protocol";
import { clientChecks } from "../../checks/client/index.ts";
import { checks as all } from "../../checks/index.ts";
import type { Check } from "../../define/check.ts";
import type { Observation } from "../../define/observation.ts";
import { withNeeds } from "../../define/observation.ts";
import type { Depth } from "../../report/events.ts";
import type { Category, Tag } from "../../report/result.ts";
import { catalogues, ruleOf, versionsWith } from "../../rules/catalogue.ts";
import { permissions } from "../../rules/permissions.ts";
import type { Rule } from "../../rules/rule.ts";
import { type Filter, select } from "./select.ts";

/** What a check says about itself, for lists and explanations. */
export interface CheckInfo {
  readonly id: string;
  readonly title: string;
  readonly remedy: string;
  readonly category: Category;
  readonly tags: readonly Tag[];
  readonly kind: Check["kind"];
  /** messages that its observations take, all in all; others use the same ones */
  readonly messages: number;
  /** the least depth at which it is made */
  readonly depth: Depth;
  readonly rude: boolean;
  readonly needs: readonly string[];
  /** the versions of the protocol that have its rule, the newest first */
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

/** The observations that are made for the sake of a check. */
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
  // An active check needs all of its observations; a passive one is content with what any of them shows.
  const isCostly = check.kind === "active" ? costs.includes(true) : costs.length > 0 && !costs.includes(false);
  return isCostly ? "quick" : "free";
}

/** The checks a filter leaves; throws UsageError for a pattern that fits none. */
export const selectChecks = (filter: Filter): readonly CheckInfo[] => select(checks, filter).selected;

/** What is said about the check of a rule about clients. */
export interface ClientCheckInfo {
  readonly id: string;
  readonly title: string;
  readonly remedy: string;
  /** the situations that show it; none where any call does */
  readonly situations: readonly string[];
}

/** How a rule about clients is examined; undefined where it is not. */
export function clientCheckOf(id: string): ClientCheckInfo | undefined {
  const [first, ...others] = clientChecks.filter((check) => check.id === id);
  if (!first) return undefined;
  const isSeenAnywhere = [first, ...others].some(({ kind }) => kind === "client-passive");
  const situations = [first, ...others].flatMap((check) => (check.kind === "client-situation" ? check.in : []));
  const { title = "", remedy = "" } = ruleOf(id)!;
  return { id, title, remedy, situations: isSeenAnywhere ? [] : situations };
}

/** The same for rules about clients: the ids of the rules that are left. */
export const selectClientRules = (filter: Filter): readonly string[] => [
  ...new Set(select(clientChecks, filter).selected.map(({ id }) => id)),
];

/** How a row of the catalogue ends: what examines it, or why nothing does. */
export interface CoverageRow {
  readonly rule: Rule;
  readonly ends: "checked" | "no-check-yet" | "client" | "permission" | "unobservable";
  /** the promise that is checked */
  readonly by?: string;
  readonly because?: string;
}

export function coverage(dialect: DialectVersion = "1.0"): readonly CoverageRow[] {
  const checked = new Set([...clientChecks, ...checks].map(({ id }) => id));
  return catalogues[dialect].map((rule): CoverageRow => {
    if (checked.has(rule.id)) return { rule, ends: "checked", by: rule.title! };
    if (rule.actor === "client" && rule.testability !== "unobservable")
      return { rule, ends: "client", because: "about clients, and not judged on them yet" };
    if (rule.testability === "unobservable") return { rule, ends: "unobservable", because: rule.check };
    const permission = permissions[rule.id];
    if (permission) return { rule, ends: "permission", because: permission.because };
    return { rule, ends: "no-check-yet" };
  });
}
