import { compareMatrices, type MatrixDocument, type MatrixLine, matrixLine } from "@assay/matrix/view";
import { ApiError } from "../../server/api-error.ts";
import type { KeptMatrices } from "../../server/lab.ts";
import { type ApiRequest, type ApiRoute, json, route } from "../../server/route.ts";

/** Serves matrix documents. Their large parts have routes of their own. */
export function matricesRoutes(matrices: KeptMatrices): readonly ApiRoute[] {
  const opened = ({ params }: ApiRequest): MatrixDocument => {
    const found = matrices.read(params["matrix"]!);
    if (found) return found;
    const hint = "GET /api/matrices lists the available matrices. Other document formats are not supported.";
    throw new ApiError(404, `There is no matrix "${params["matrix"]}".`, hint);
  };
  return [
    route("GET", "/api/matrices", () => json(matrixLines(matrices))),
    route("GET", "/api/matrices/:matrix", (request) => json(lean(opened(request)))),
    route("GET", "/api/matrices/:matrix/since", (request) => {
      const matrix = opened(request);
      const before = matrixLines(matrices).find(({ startedAt }) => startedAt < matrix.startedAt);
      return json(before ? compareMatrices(matrices.read(before.name)!, matrix) : null);
    }),
    route("GET", "/api/matrices/:matrix/cells/:cell", (request) => {
      const cell = opened(request).cells.find(({ id }) => id === request.params["cell"]);
      if (!cell) throw new ApiError(404, `The matrix has no cell "${request.params["cell"]}".`);
      return json(cell);
    }),
    route("GET", "/api/matrices/:matrix/exchanges/:exchange", async (request) => {
      const { readable } = await import("@assay/matrix");
      const { exchanges } = opened(request);
      const id = request.params["exchange"]!;
      const exchange = Object.hasOwn(exchanges, id) ? exchanges[id] : undefined;
      if (!exchange) throw new ApiError(404, `The matrix does not contain the exchange "${id}".`);
      return json(readable(exchange));
    }),
  ];
}

/** Lists the matrices, newest first. */
export const matrixLines = (matrices: KeptMatrices): MatrixLine[] =>
  matrices
    .list()
    .flatMap((name) => {
      const matrix = matrices.read(name);
      return matrix ? [matrixLine(name, matrix)] : [];
    })
    .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));

/** Removes the exchanges: thousands of cells have a conversation each. */
const lean = (matrix: MatrixDocument): MatrixDocument => ({
  ...matrix,
  exchanges: {},
  cells: matrix.cells.map((cell) => ({ ...cell, steps: [] })),
});
