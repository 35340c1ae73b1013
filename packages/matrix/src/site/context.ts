import { causesOf, type SharedCause } from "../causes/shared-causes.ts";
import type { Blamed } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import { type CellChange, compareMatrices, type MatrixComparison } from "../view/compare.ts";
import { readable } from "./readable.ts";

/** What all pages of a site know. */
export interface SiteContext {
  readonly matrix: MatrixDocument;
  readonly causes: readonly SharedCause[];
  readonly comparison?: MatrixComparison;
  driver(name: string): MatrixDriver | undefined;
  /** what a red cell is put down to */
  causeOf(cell: Cell): SharedCause | undefined;
  /** since the earlier matrix */
  changeOf(cell: Cell): CellChange | undefined;
}

export function siteContext(recorded: MatrixDocument, before: MatrixDocument | undefined): SiteContext {
  const matrix = {
    ...recorded,
    exchanges: Object.fromEntries(Object.entries(recorded.exchanges).map(([id, each]) => [id, readable(each)])),
  };
  const causes = causesOf(matrix);
  const causeByCell = new Map(causes.flatMap((cause) => cause.cells.map(({ id }) => [id, cause])));
  const comparison = before && compareMatrices(before, matrix);
  const changes = new Map(comparison?.changes.map(({ cell, change }) => [cell.id, change]));
  const drivers = new Map(matrix.drivers.map((driver) => [driver.name, driver]));
  return {
    matrix,
    causes,
    ...(comparison && { comparison }),
    driver: (name) => drivers.get(name),
    causeOf: ({ id }) => causeByCell.get(id),
    changeOf: ({ id }) => changes.get(id),
  };
}

const letters: Record<Blamed, string> = { client: "c", server: "s", both: "b", specification: "a", unclear: "n" };

/** What a cell came to, in one letter, which the script counts: passed, unsupported, whose fault (a capital where it is known). */
export function letterOf(cell: Cell, context: SiteContext): string {
  if (cell.outcome === "passed") return "p";
  if (cell.outcome === "unsupported") return "u";
  const cause = context.causeOf(cell);
  if (!cause) return "-";
  const letter = letters[cause.whose];
  return cell.known ? letter.toUpperCase() : letter;
}
