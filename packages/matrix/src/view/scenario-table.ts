import type { Cell } from "../document/cell.ts";
import {
  type DriverRole,
  driverRoles,
  type MatrixDocument,
  type MatrixDriver,
  type MatrixScenario,
} from "../document/document.ts";
import { participantsOf } from "./participants.ts";
import { type Score, scoreOf } from "./scores.ts";

/** Scenarios as rows, SDKs in one role as columns, all against one test bed. */
export interface ScenarioTable {
  /** the role of the SDKs; the test bed has the other one */
  readonly role: DriverRole;
  readonly bed: MatrixDriver;
  readonly sdks: readonly MatrixDriver[];
  readonly rows: readonly ScenarioRow[];
}

interface ScenarioRow {
  readonly scenario: MatrixScenario;
  /** by SDK, over all bindings and versions; undefined if it was not planned */
  readonly scores: readonly (Score | undefined)[];
}

/** Returns the test bed: Assay itself, or the first driver that ran. */
const bedOf = (matrix: MatrixDocument): MatrixDriver | undefined => {
  const ran = participantsOf(matrix).filter(({ absent }) => absent === undefined);
  return ran.find(({ name }) => name === "assay") ?? ran[0];
};

/** Returns the tables of SDK clients against the test bed, and of SDK servers against its client. */
export function scenarioTables(matrix: MatrixDocument): ScenarioTable[] {
  const bed = bedOf(matrix);
  return bed ? driverRoles.map((role) => tableOf(matrix, bed, role)).filter(({ sdks }) => sdks.length > 0) : [];
}

function tableOf({ cells, drivers, scenarios }: MatrixDocument, bed: MatrixDriver, role: DriverRole): ScenarioTable {
  const other = role === "client" ? "server" : "client";
  const own = cells.filter((cell) => cell[other] === bed.name);
  const byPlace = new Map<string, Cell[]>();
  for (const cell of own) {
    const place = placeOf(cell[role], cell.scenario);
    byPlace.set(place, [...(byPlace.get(place) ?? []), cell]);
  }
  const sdks = drivers.filter(({ name }) => own.some((cell) => cell[role] === name));
  const rows = scenarios
    .filter(({ id }) => own.some((cell) => cell.scenario === id && isTold(cell)))
    .map((scenario) => ({ scenario, scores: sdks.map(({ name }) => scored(byPlace.get(placeOf(name, scenario.id)))) }));
  return { role, bed, sdks, rows };
}

/** A scenario that applies to no SDK has no row. */
const isTold = ({ outcome }: Cell): boolean => outcome !== "not-applicable" && outcome !== "not-run";

const placeOf = (driver: string, scenario: string): string => `${driver} ${scenario}`;

const scored = (cells: readonly Cell[] | undefined): Score | undefined => cells && scoreOf(cells);
