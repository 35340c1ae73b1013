import { fitsGlob } from "@assay/protocol";
import type { Blame, Blamed } from "../document/blame.ts";
import type { UnsealedCell } from "../document/cell.ts";
import { type DriverRole, driverRoles } from "../document/document.ts";
import type { KnownFailure, KnownFailureRow, StaleKnownFailure } from "../document/known-failure.ts";
import { isRed } from "../view/scores.ts";

/**
 * Returns the known failure of a cell, if it is listed. A row is about one side: it never excuses a fault of the other.
 * If both sides are at fault, both must be listed. `blame` is that of the cell, or of the cause that blocks it.
 */
export function knownFailureOf(
  cell: UnsealedCell,
  rows: readonly KnownFailureRow[],
  blame: Blame | undefined = cell.blame,
): KnownFailure | undefined {
  if (!isRed(cell)) return undefined;
  const own = rows.filter((row) => isAbout(row, cell) && isCause(row, blame));
  const sides = blame?.whose === "both" ? driverRoles : [];
  if (!sides.every((side) => own.some(({ role }) => role === side))) return undefined;
  const row = own.find(({ role }) => !isOther(role, blame?.whose));
  if (!row) return undefined;
  const { driver, role, why, issue, flaky } = row;
  return { driver, role, why, ...(issue !== undefined && { issue }), ...(flaky && { flaky }) };
}

const isOther = (role: DriverRole, whose: Blamed | undefined): boolean =>
  (whose === "client" || whose === "server") && whose !== role;

const isCause = ({ causes }: KnownFailureRow, blame: Blame | undefined): boolean =>
  blame !== undefined &&
  causes.some((pattern) => fitsGlob(pattern, blame.cause) || pattern === blame.code || isBroken(pattern, blame));

const isBroken = (rule: string, { reasons }: Blame): boolean => reasons.some((each) => each.rule?.id === rule);

/**
 * Returns rows whose failures no longer happen. All of their cells must have run: a part of the matrix says nothing
 * about the rest. Flaky failures come and go, so their rows are never stale. `planned` are the cells of a whole matrix.
 */
export function staleRows(
  cells: readonly UnsealedCell[],
  rows: readonly KnownFailureRow[],
  planned: readonly CellPlace[],
): StaleKnownFailure[] {
  const ran = new Set(cells.filter(({ outcome }) => outcome !== "not-run").map(placeKey));
  return rows.flatMap((row) => {
    if (row.flaky) return [];
    const own = cells.filter((cell) => isAbout(row, cell));
    const isWhole = planned.filter((place) => isAbout(row, place)).every((place) => ran.has(placeKey(place)));
    const run = own.filter((cell) => isRed(cell) || cell.outcome === "passed");
    return isWhole && run.length > 0 && !own.some(isRed) ? [{ row, cells: run.length }] : [];
  });
}

/** The place of a cell in the matrix. */
export type CellPlace = Pick<UnsealedCell, "client" | "server" | "binding" | "version" | "scenario">;

const placeKey = ({ client, server, binding, version, scenario }: CellPlace): string =>
  `${client} ${server} ${binding} ${version} ${scenario}`;

/** Returns true for a failure that is not listed. */
export const isRedUnknown = (cell: UnsealedCell): boolean => isRed(cell) && cell.known === undefined;

function isAbout({ driver, role, peers, bindings, versions, scenarios }: KnownFailureRow, cell: CellPlace): boolean {
  const [own, peer] = role === "client" ? [cell.client, cell.server] : [cell.server, cell.client];
  return (
    own === driver &&
    (peers?.some((pattern) => fitsGlob(pattern, peer)) ?? true) &&
    (bindings?.includes(cell.binding) ?? true) &&
    (versions?.includes(cell.version) ?? true) &&
    scenarios.some((pattern) => fitsGlob(pattern, cell.scenario))
  );
}
