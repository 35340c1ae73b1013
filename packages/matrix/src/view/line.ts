import type { MatrixDocument } from "../document/document.ts";
import { type Score, scoreOf } from "./scores.ts";

/** A line of a list of matrices. */
export interface MatrixLine extends Pick<MatrixDocument, "startedAt" | "duration_ms" | "partial"> {
  readonly name: string;
  readonly drivers: readonly string[];
  readonly score: Score;
}

export const matrixLine = (
  name: string,
  { startedAt, duration_ms, partial, drivers, cells }: MatrixDocument,
): MatrixLine => ({
  name,
  startedAt,
  duration_ms,
  ...(partial !== undefined && { partial }),
  drivers: drivers.map((driver) => driver.name),
  score: scoreOf(cells),
});
