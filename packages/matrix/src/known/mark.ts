import { fitsGlob } from "@assay/protocol";
import type { UnsealedCell } from "../document/cell.ts";
import type { KnownFailure, KnownFailureRow, StaleKnownFailure } from "../document/known-failure.ts";
import { isRed } from "../view/scores.ts";

/** Returns the known failure of a cell, if it is listed. */
export function knownFailureOf(cell: UnsealedCell, rows: readonly KnownFailureRow[]): KnownFailure | undefined {
  if (!isRed(cell)) return undefined;
  const row = rows.find((each) => isAbout(each, cell));
  if (!row) return undefined;
  const { driver, role, why, issue } = row;
  return { driver, role, why, ...(issue !== undefined && { issue }) };
}

/**
 * Returns rows whose failures no longer happen: some of their cells were run, and none is red. A row without
 * run cells, as in a partial matrix, may still be true.
 */
export function staleRows(cells: readonly UnsealedCell[], rows: readonly KnownFailureRow[]): StaleKnownFailure[] {
  return rows.flatMap((row) => {
    const run = cells.filter((cell) => isAbout(row, cell) && (isRed(cell) || cell.outcome === "passed"));
    return run.length > 0 && !run.some(isRed) ? [{ row, cells: run.length }] : [];
  });
}

/** Returns true for a failure that is not listed. */
export const isRedUnknown = (cell: UnsealedCell): boolean => isRed(cell) && cell.known === undefined;

function isAbout({ driver, role, peers, bindings, versions, scenarios }: KnownFailureRow, cell: UnsealedCell): boolean {
  const [own, peer] = role === "client" ? [cell.client, cell.server] : [cell.server, cell.client];
  return (
    own === driver &&
    (peers?.some((pattern) => fitsGlob(pattern, peer)) ?? true) &&
    (bindings?.includes(cell.binding) ?? true) &&
    (versions?.includes(cell.version) ?? true) &&
    scenarios.some((pattern) => fitsGlob(pattern, cell.scenario))
  );
}
