import type { Binding, DialectVersion } from "@assay/protocol";
import { disputed, rows } from "#rules";
import type { BreachCode } from "./breach-codes.ts";
import type { RuleSet } from "./catalogue.ts";
import type { Rule } from "./rule.ts";
import { publishedSetOf } from "./rule-sets.ts";

/** The possible results of a breach. */
export type Severity = "fail" | "warning" | "info" | "pass";

/** The scope of a row. A missing member means no restriction. */
export interface Scoped {
  readonly bindings?: Rule["bindings"];
  readonly versions?: readonly DialectVersion[];
  readonly sets?: readonly RuleSet[];
}

/** A row of `severity.yaml`, whose head explains the members. */
export interface SeverityRow extends Scoped {
  readonly rule: string;
  readonly code: BreachCode;
  readonly under?: string;
  readonly becomes: Severity;
  readonly strict?: Severity | "level";
  readonly why: string;
}

export interface Ceiling {
  readonly when: "undeclared-version" | "draft";
  readonly most: "warning" | "info";
  readonly why: string;
}

/** The place of a breach. */
export interface SeenIn {
  readonly dialect: DialectVersion;
  readonly set: RuleSet;
  /** absent for findings about the card */
  readonly binding?: Binding | undefined;
}

const bindingWords: Record<Binding, Rule["bindings"][number]> = {
  JSONRPC: "jsonrpc",
  "HTTP+JSON": "rest",
  GRPC: "grpc",
};

/** Returns true if a row applies to a place. */
export const isWithin = ({ bindings, versions, sets }: Scoped, { dialect, set, binding }: SeenIn): boolean =>
  (versions?.includes(dialect) ?? true) &&
  (sets?.includes(publishedSetOf(set)) ?? true) &&
  (bindings === undefined || (binding !== undefined && bindings.includes(bindingWords[binding])));

/** Returns the row for a breach, or undefined if level and basis decide. */
export const rowFor = (rule: string, code: BreachCode, where: SeenIn): SeverityRow | undefined =>
  rows.find((row) => row.code === code && (row.rule === "*" || row.rule === rule) && isWithin(row, where));

/** Returns true for a disputed rule: Assay reports it, but it never decides the outcome. */
export const isDisputed = (rule: string): boolean => disputed.some((entry) => entry.rule === rule);
