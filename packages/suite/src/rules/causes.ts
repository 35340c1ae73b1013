import type { Operation } from "@assay/protocol";
import { causes } from "#rules";
import type { BreachCode } from "./breach-codes.ts";
import { isWithin, type Scoped, type SeenIn } from "./severity.ts";

/** A row of `causes.yaml`, whose head explains the members. */
export interface CauseRow extends Scoped {
  readonly owner: string;
  readonly codes: readonly BreachCode[];
  readonly maybe?: readonly BreachCode[];
  readonly operations?: readonly Operation[];
  readonly blocks?: readonly string[];
  readonly repeats?: readonly string[];
  readonly says: string;
  readonly why: string;
}

/** The evidence in a breach about its cause. */
export interface Shown {
  readonly code: BreachCode;
  readonly operation: Operation | undefined;
}

/** A cause that another rule owns, and the relation of this rule to it. */
export interface OwnedCause {
  readonly owner: string;
  readonly relation: "blocks" | "repeats";
  readonly says: string;
  /** Returns true if a breach of the owner shows the same cause. */
  readonly isSame: (other: Shown) => boolean;
}

/** Returns the causes that a breach may show and that other rules own, in table order. */
export function causesOf(rule: string, shown: Shown, where: SeenIn): readonly OwnedCause[] {
  const { operation } = shown;
  const named = causes.filter((row) => names(row, shown) && isWithin(row, where));
  const own = named.findIndex(({ owner }) => owner === rule);
  // A rule that owns the cause itself yields only to owners further up.
  return named.slice(0, own < 0 ? undefined : own).flatMap((row): OwnedCause[] => {
    const listed = relationOf(row, rule);
    if (!listed) return [];
    // A code with several possible causes proves nothing unless the owner saw this one itself.
    const relation = row.codes.includes(shown.code) ? listed : "repeats";
    const isSame = (other: Shown): boolean => names(row, other) && other.operation === operation;
    return [{ owner: row.owner, relation, says: row.says.replace("{operation}", operation ?? "a request"), isSame }];
  });
}

/** Sorts owners first, in table order, because their verdict decides about the others. */
export function ownerRank(rule: string): number {
  const index = causes.findIndex(({ owner }) => owner === rule);
  return index < 0 ? causes.length : index;
}

const names = ({ codes, maybe = [], operations }: CauseRow, { code, operation }: Shown): boolean =>
  (codes.includes(code) || maybe.includes(code)) &&
  (operations === undefined || (operation !== undefined && operations.includes(operation)));

function relationOf({ blocks = [], repeats = [] }: CauseRow, rule: string): OwnedCause["relation"] | undefined {
  const isMeant = (entry: string): boolean =>
    entry === "*" || entry === rule || (entry.endsWith("-*") && rule.startsWith(entry.slice(0, -1)));
  return repeats.some(isMeant) ? "repeats" : blocks.some(isMeant) ? "blocks" : undefined;
}
