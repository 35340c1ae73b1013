import type { Blame, Blamed } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument } from "../document/document.ts";
import { isRed } from "../view/scores.ts";
import { wireTitle } from "../view/wires.ts";
import type { MatrixCause } from "./matrix-cause.ts";

/** One cause with all its red cells. */
export interface SharedCause {
  /** stable over all matrices: "server/a2a-go/STREAM-003" */
  readonly id: string;
  /** the id as part of an address */
  readonly slug: string;
  readonly whose: Blamed;
  readonly title: string;
  readonly blame?: Blame;
  /** the blocking cause, if it is one */
  readonly held?: MatrixCause;
  readonly cells: readonly Cell[];
  /** number of cells that are known failures */
  readonly known: number;
  readonly clients: readonly string[];
  readonly servers: readonly string[];
  readonly wires: readonly string[];
  readonly scenarios: readonly string[];
  /** the cell to look at first */
  readonly example: Cell;
}

/** Groups red cells by cause; unknown causes with the most cells come first. */
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

/**
 * Returns the key of a red cell's cause. Blocking causes over several wires are one if their blame is the
 * same.
 */
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
  // Not every cell has kept its recording.
  const example =
    cells.find((cell) => cell.exchanges.some((exchange) => exchange in exchanges)) ??
    cells.find((cell) => cell.exchanges.length > 0) ??
    cells[0];
  const blame = held ? held.blame : example!.blame;
  return {
    id,
    slug: unusedSlug(id, slugs),
    whose: blame?.whose ?? "unclear",
    // A cause with several servers names them itself; the title applies to all of them.
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
