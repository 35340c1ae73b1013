import type { Blamed, Cell, MatrixDocument, SharedCause } from "@assay/matrix/view";

/** What of a matrix is looked at; what is empty means everything. */
export interface MatrixFilter {
  readonly client: string;
  readonly server: string;
  readonly scenario: string;
  readonly fault: string;
}

const names = ["client", "server", "scenario", "fault"] as const;

export const filterIn = (query: URLSearchParams): MatrixFilter => ({
  client: query.get("client") ?? "",
  server: query.get("server") ?? "",
  scenario: query.get("scenario") ?? "",
  fault: query.get("fault") ?? "",
});

/** For the address: only what narrows. */
export const queryOf = (filter: MatrixFilter): Record<string, string> =>
  Object.fromEntries(names.filter((name) => filter[name] !== "").map((name) => [name, filter[name]]));

/** The matrix with the cells that fit. A cell that is not red has no fault, and goes when one is asked for. */
export function narrowed(
  matrix: MatrixDocument,
  { client, server, scenario, fault }: MatrixFilter,
  causes: readonly SharedCause[],
): MatrixDocument {
  const faults = new Map<string, Blamed>(causes.flatMap(({ cells, whose }) => cells.map(({ id }) => [id, whose])));
  const fits = (cell: Cell): boolean =>
    (client === "" || cell.client === client) &&
    (server === "" || cell.server === server) &&
    (scenario === "" || cell.scenario === scenario) &&
    (fault === "" || faults.get(cell.id) === fault);
  return { ...matrix, cells: matrix.cells.filter(fits) };
}
