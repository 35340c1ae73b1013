import { fitsGlob, nearest } from "@assay/protocol";
import type { Check } from "../../define/check.ts";
import { ruleOf } from "../../rules/catalogue.ts";

/** A pattern of --only or --skip that fits nothing. */
export class UnknownFilter extends Error {
  override readonly name = "UnknownFilter";
  readonly suggestion: string | undefined;

  constructor(pattern: string, suggestion: string | undefined) {
    super(`"${pattern}" fits no check`);
    this.suggestion = suggestion;
  }
}

export interface Filter {
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
}

/**
 * The checks that a filter leaves, and those it takes away. A pattern is an id (`LIST-003`), a glob of ids (`LIST-*`),
 * a category or a tag of the report (`streaming`, `security`), or a section of the specification (`§3.1.4`, with all below it).
 */
export function select<C extends Pick<Check, "id">>(
  all: readonly C[],
  { only, skip }: Filter,
): { selected: readonly C[]; filtered: readonly C[] } {
  for (const pattern of [...(only ?? []), ...(skip ?? [])]) {
    if (!all.some(({ id }) => fits(pattern, id))) throw new UnknownFilter(pattern, suggestionFor(pattern, all));
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

const suggestionFor = (pattern: string, all: readonly Pick<Check, "id">[]): string | undefined =>
  nearest(pattern, [...all.map(({ id }) => id), ...new Set(all.flatMap(({ id }) => namesOf(id)))]);
