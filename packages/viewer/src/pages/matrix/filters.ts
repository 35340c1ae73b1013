import type { Cell, MatrixDocument, SharedCause } from "@assay/matrix/view";

const names = ["client", "server", "scenario", "fault", "fresh"] as const;

/** The filter of a matrix. An empty value matches everything. `fresh` hides known failures. */
export type MatrixFilter = Readonly<Record<(typeof names)[number], string>>;

export const filterIn = (query: URLSearchParams): MatrixFilter =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])) as MatrixFilter;

/** Returns the filters for the URL, without empty ones. */
export const queryOf = (filter: MatrixFilter): Record<string, string> =>
  Object.fromEntries(names.filter((name) => filter[name] !== "").map((name) => [name, filter[name]]));

/** Returns the matrix with the matching cells. A filter by fault removes all cells that are not red. */
export function narrowed(
  matrix: MatrixDocument,
  { client, server, scenario, fault, fresh }: MatrixFilter,
  causeOf: (cell: string) => SharedCause | undefined,
): MatrixDocument {
  const fits = (cell: Cell): boolean =>
    (client === "" || cell.client === client) &&
    (server === "" || cell.server === server) &&
    (scenario === "" || cell.scenario === scenario) &&
    (fault === "" || causeOf(cell.id)?.whose === fault) &&
    (fresh === "" || cell.known === undefined);
  return { ...matrix, cells: matrix.cells.filter(fits) };
}
