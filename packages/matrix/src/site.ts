import { viewerPage } from "@assay/viewer";
import type { MatrixDocument } from "./document/document.ts";
import { readable } from "./document/readable.ts";
import { compareMatrices } from "./view/compare.ts";
import { matrixLine } from "./view/line.ts";
import { matrixMarkdown } from "./view/markdown.ts";

/** The name of the only matrix of a page. */
const name = "matrix";

/** Returns the matrix as one page that needs no server and no network: the viewer with the document in it. */
export function matrixPage(matrix: MatrixDocument, before?: MatrixDocument): string {
  return viewerPage({
    title: "Which client works with which server · Assay",
    start: `#/matrix/${name}`,
    data: {
      "/api/matrices": [matrixLine(name, matrix)],
      [`/api/matrices/${name}`]: shownMatrix(matrix),
      ...(before && { [`/api/matrices/${name}/since`]: compareMatrices(before, matrix) }),
    },
    summary: matrixMarkdown(matrix, before),
  });
}

/** Prepares a matrix for pages: readable exchanges, and cells without seals, which are half of a document. */
const shownMatrix = ({ cells, exchanges, ...matrix }: MatrixDocument): unknown => ({
  ...matrix,
  cells: cells.map(({ seal: _, ...cell }) => cell),
  exchanges: Object.fromEntries(Object.entries(exchanges).map(([id, exchange]) => [id, readable(exchange)])),
});
