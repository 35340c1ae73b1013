import type { Check } from "../check.ts";
import { categoryOf, ruleOf } from "../rules/catalogue.ts";

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
 * an area of the report (`streaming`), or a section of the specification (`§3.1.4`, with all below it).
 */
export function select<C extends Pick<Check, "id">>(
  all: readonly C[],
  { only, skip }: Filter,
): { selected: readonly C[]; filtered: readonly C[] } {
  for (const pattern of [...(only ?? []), ...(skip ?? [])]) {
    if (!all.some(({ id }) => fits(pattern, id))) throw new UnknownFilter(pattern, nearest(pattern, all));
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
  if (pattern.includes("*")) {
    const expression = pattern.split("*").map((piece) => piece.replace(/[^A-Za-z0-9-]/g, "\\$&"));
    return new RegExp(`^${expression.join(".*")}$`, "i").test(id);
  }
  return pattern.toUpperCase() === id || pattern.toLowerCase() === categoryOf(id);
}

function nearest(pattern: string, all: readonly Pick<Check, "id">[]): string | undefined {
  const names = [...all.map(({ id }) => id), ...new Set(all.map(({ id }) => categoryOf(id)))];
  const scored = names.map((name) => ({ name, distance: distance(pattern.toUpperCase(), name.toUpperCase()) }));
  const best = scored.toSorted((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= 3 ? best.name : undefined;
}

/** How many letters must change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
