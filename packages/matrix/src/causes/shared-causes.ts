import type { Blame, Blamed } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument } from "../document/document.ts";
import { isRed } from "../view/scores.ts";
import { wireTitle } from "../view/wires.ts";
import type { MatrixCause } from "./matrix-cause.ts";

/** Many red cells with one cause are one cause with a list. */
export interface SharedCause {
  /** the same in every matrix: "server/a2a-go/STREAM-003" */
  readonly id: string;
  /** the same, for addresses */
  readonly slug: string;
  readonly whose: Blamed;
  readonly title: string;
  readonly blame?: Blame;
  /** what holds cells up, where it is that */
  readonly held?: MatrixCause;
  readonly cells: readonly Cell[];
  /** how many of them are listed as known */
  readonly known: number;
  readonly clients: readonly string[];
  readonly servers: readonly string[];
  readonly wires: readonly string[];
  readonly scenarios: readonly string[];
  /** the cell to look at first */
  readonly example: Cell;
}

/** Everything that is red, by what causes it; what is not known yet and concerns most cells comes first. */
export function causesOf(matrix: Pick<MatrixDocument, "cells" | "causes" | "exchanges">): SharedCause[] {
  const groups = new Map<string, Cell[]>();
  const held = new Map(matrix.causes.map((cause) => [cause.id, cause]));
  for (const cell of matrix.cells.filter(isRed)) {
    const id = causeKey(cell, held);
    const known = groups.get(id);
    if (known) known.push(cell);
    else groups.set(id, [cell]);
  }
  const slugs = new Set<string>();
  return [...groups]
    .map(([id, cells]) => shared(id, cells, held.get(cells[0]!.cause ?? ""), { slugs, exchanges: matrix.exchanges }))
    .toSorted(
      (a, b) => b.cells.length - b.known - (a.cells.length - a.known) || b.cells.length - a.cells.length || order(a, b),
    );
}

/** What a red cell is put down to. What holds cells up over several wires is one cause where it is blamed on the same thing. */
function causeKey({ id, cause, blame }: Cell, held: ReadonlyMap<string, MatrixCause>): string {
  if (cause !== undefined) return held.get(cause)?.blame?.cause ?? cause;
  return blame?.cause ?? `unclear/${id}`;
}

function shared(
  id: string,
  cells: readonly Cell[],
  held: MatrixCause | undefined,
  { slugs, exchanges }: { readonly slugs: Set<string>; readonly exchanges: MatrixDocument["exchanges"] },
): SharedCause {
  // Not every cell has kept what was recorded of it.
  const example =
    cells.find((cell) => cell.exchanges.some((exchange) => exchange in exchanges)) ??
    cells.find((cell) => cell.exchanges.length > 0) ??
    cells[0];
  const blame = held ? held.blame : example!.blame;
  return {
    id,
    slug: unusedSlug(id, slugs),
    whose: blame?.whose ?? "unclear",
    // What holds cells up with several servers says itself with which; the title is that of all of them.
    title: blame?.title ?? held?.says ?? example!.because ?? "not told",
    ...(blame && { blame }),
    ...(held && { held }),
    cells,
    known: cells.filter((cell) => cell.known).length,
    clients: unique(cells.map(({ client }) => client)),
    servers: unique(cells.map(({ server }) => server)),
    wires: unique(cells.map(wireTitle)),
    scenarios: unique(cells.map(({ scenario }) => scenario)),
    example: example!,
  };
}

function unusedSlug(id: string, taken: Set<string>): string {
  const plain = id
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  for (let nth = 1; ; nth++) {
    const slug = nth === 1 ? plain : `${plain}-${nth}`;
    if (taken.has(slug)) continue;
    taken.add(slug);
    return slug;
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

const order = (a: SharedCause, b: SharedCause): number => (a.id < b.id ? -1 : 1);
