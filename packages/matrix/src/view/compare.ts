import { causesOf } from "../causes/shared-causes.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument } from "../document/document.ts";
import { isRed } from "./scores.ts";

/** The change of a cell between two matrices. `found`: red now, and absent or not run before. */
export type CellChange = "fixed" | "broken" | "found" | "still" | "gone";

/** The listed changes, most important first. */
export const listedChanges = ["broken", "found", "fixed", "gone"] as const satisfies readonly CellChange[];

export interface ChangedCell {
  readonly change: CellChange;
  /** of the cell */
  readonly id: string;
}

/** A driver with another package than before. */
export interface ChangedPackage {
  readonly driver: string;
  readonly before?: string;
  readonly after?: string;
}

export interface MatrixComparison {
  readonly before: Pick<MatrixDocument, "startedAt" | "tool">;
  readonly after: Pick<MatrixDocument, "startedAt" | "tool">;
  readonly changes: readonly ChangedCell[];
  readonly counts: Readonly<Record<CellChange, number>>;
  readonly packages: readonly ChangedPackage[];
  /** causes that are new, and those that are gone */
  readonly newCauses: readonly string[];
  readonly goneCauses: readonly string[];
  /** a cell that passed is red now */
  readonly regressed: boolean;
}

/** Compares two matrices. A cell is identified by client, server, binding, version and scenario. */
export function compareMatrices(before: MatrixDocument, after: MatrixDocument): MatrixComparison {
  const then = new Map(before.cells.map((cell) => [cell.id, cell]));
  const now = new Map(after.cells.map((cell) => [cell.id, cell]));
  const changes = [
    ...after.cells.flatMap((cell) => changed(changeOf(then.get(cell.id), cell), cell)),
    ...before.cells.flatMap((cell) => (isRed(cell) && !now.has(cell.id) ? changed("gone", cell) : [])),
  ];
  const counts = { fixed: 0, broken: 0, found: 0, still: 0, gone: 0 };
  for (const { change } of changes) counts[change] += 1;
  const [causes, causesNow] = [causeIds(before), causeIds(after)];
  return {
    before: { startedAt: before.startedAt, tool: before.tool },
    after: { startedAt: after.startedAt, tool: after.tool },
    changes,
    counts,
    packages: packagesOf(before, after),
    newCauses: [...causesNow].filter((id) => !causes.has(id)),
    goneCauses: [...causes].filter((id) => !causesNow.has(id)),
    regressed: counts.broken > 0,
  };
}

function changeOf(before: Cell | undefined, after: Cell): CellChange | undefined {
  const was = before && isRed(before);
  if (isRed(after)) return was ? "still" : before?.outcome === "passed" ? "broken" : "found";
  if (!was) return undefined;
  return after.outcome === "passed" ? "fixed" : "gone";
}

const changed = (change: CellChange | undefined, { id }: Cell): ChangedCell[] => (change ? [{ change, id }] : []);

const causeIds = (matrix: MatrixDocument): Set<string> => new Set(causesOf(matrix).map(({ id }) => id));

function packagesOf(before: MatrixDocument, after: MatrixDocument): ChangedPackage[] {
  const then = new Map(before.drivers.map((driver) => [driver.name, packageText(driver)]));
  const now = new Map(after.drivers.map((driver) => [driver.name, packageText(driver)]));
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((driver) => then.get(driver) !== now.get(driver))
    .map((driver) => {
      const [was, is] = [then.get(driver), now.get(driver)];
      return { driver, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
    });
}

const packageText = ({ package: name, version }: MatrixDocument["drivers"][number]): string => `${name} ${version}`;
