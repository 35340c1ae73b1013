import type { MatrixDocument, Score } from "@assay/matrix/view";

/** A line of the list of matrices: `GET /api/matrices`. */
export interface MatrixLine extends Pick<MatrixDocument, "startedAt" | "duration_ms" | "partial"> {
  readonly name: string;
  readonly drivers: readonly string[];
  readonly score: Score;
}
