import type { Cell } from "../document/cell.ts";
import type { MatrixDocument } from "../document/document.ts";
import { pairKey } from "../view/scores.ts";
import { causeFile, pairFile } from "./addresses.ts";
import { causePage } from "./cause.ts";
import { siteContext } from "./context.ts";
import { overviewPage } from "./overview.ts";
import { siteMark } from "./page.ts";
import { pairPage } from "./pair.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/**
 * The matrix as a folder of pages, by their paths: an overview, a page for each pair, a page for each cause. They need no server
 * and no network; what a page shows is in it, so that each opens at once however large the matrix is.
 */
export function matrixSite(matrix: MatrixDocument, before?: MatrixDocument): ReadonlyMap<string, string> {
  const context = siteContext(matrix, before);
  const pairs = new Map<string, Cell[]>();
  for (const cell of matrix.cells) {
    const known = pairs.get(pairKey(cell));
    if (known) known.push(cell);
    else pairs.set(pairKey(cell), [cell]);
  }
  return new Map([
    ["index.html", overviewPage(context)],
    ["style.css", style],
    ["script.js", script],
    ...[...pairs.values()].map((cells) => [pairFile(cells[0]!), pairPage(cells, context)] as const),
    ...context.causes.map((cause) => [causeFile(cause), causePage(cause, context)] as const),
  ]);
}

/** Whether an overview is that of a site as it is made here. */
export const isMatrixSite = (overview: string): boolean => overview.includes(siteMark);
