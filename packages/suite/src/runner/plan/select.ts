import { fitsGlob, nearest } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import type { Check } from "../../define/check.ts";
import { ruleOf } from "../../rules/catalogue.ts";

export interface Filter {
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
}

/**
 * Splits the checks by a filter. A pattern is an id (`LIST-003`), a glob of ids (`LIST-*`), a category or tag of the
 * report (`streaming`, `security`), or a section of the specification (`§3.1.4`, including its subsections).
 */
export function select<C extends Pick<Check, "id">>(
  all: readonly C[],
  { only, skip }: Filter,
): { selected: readonly C[]; filtered: readonly C[] } {
  for (const pattern of [...(only ?? []), ...(skip ?? [])]) {
    if (!all.some(({ id }) => fits(pattern, id))) throw unknownFilter(pattern, all);
  }
  const keeps = ({ id }: C): boolean =>
    (!only?.length || only.some((pattern) => fits(pattern, id))) && !skip?.some((pattern) => fits(pattern, id));
  return { selected: all.filter(keeps), filtered: all.filter((check) => !keeps(check)) };
}

function fits(pattern: string, id: string): boolean {
  if (pattern.startsWith("§")) {
    const section = ruleOf(id)?.section ?? "";
    return section === pattern.slice(1) || section.startsWith(`${pattern.slice(1)}.`);
  }
  if (pattern.includes("*")) return fitsGlob(pattern, id);
  return pattern.toUpperCase() === id || namesOf(id).includes(pattern.toLowerCase());
}

function namesOf(id: string): readonly string[] {
  const rule = ruleOf(id);
  return rule ? [rule.category, ...(rule.tags ?? [])] : [];
}

function unknownFilter(pattern: string, all: readonly Pick<Check, "id">[]): UsageError {
  const near = nearest(pattern, [...all.map(({ id }) => id), ...new Set(all.flatMap(({ id }) => namesOf(id)))]);
  const hint = near ? `Did you mean ${near}?` : "assay test --list shows all checks.";
  return new UsageError(`"${pattern}" matches no check`, hint);
}
