import {
  type CellChange,
  causesOf,
  type MatrixComparison,
  type MatrixDocument,
  type MatrixDriver,
  type SharedCause,
} from "@assay/matrix/view";
import { linkTo } from "../../app/route.ts";
import type { MatrixSource } from "./source.ts";

/** The open matrix, for every part of the page. */
export interface MatrixView {
  readonly source: MatrixSource;
  readonly matrix: MatrixDocument;
  readonly causes: readonly SharedCause[];
  /** comparison with an earlier matrix, if there is one */
  readonly since: MatrixComparison | undefined;
  /** Returns the cause of a red cell. */
  causeOf(cell: string): SharedCause | undefined;
  /** Returns the change of a cell since the earlier matrix. */
  changeOf(cell: string): CellChange | undefined;
  driver(name: string): MatrixDriver | undefined;
  /** Returns the URL of a part of this matrix. */
  to(rest?: readonly string[], query?: Readonly<Record<string, string>>): string;
}

export function matrixView(name: string, source: MatrixSource, since: MatrixComparison | undefined): MatrixView {
  const { matrix } = source;
  const causes = causesOf(matrix);
  const causeByCell = new Map(causes.flatMap((cause) => cause.cells.map(({ id }) => [id, cause])));
  const changes = new Map(since?.changes.map(({ id, change }) => [id, change]));
  const drivers = new Map(matrix.drivers.map((driver) => [driver.name, driver]));
  return {
    source,
    matrix,
    causes,
    since,
    causeOf: (cell) => causeByCell.get(cell),
    changeOf: (cell) => changes.get(cell),
    driver: (driver) => drivers.get(driver),
    to: (rest = [], query = {}) => linkTo("matrix", [name, ...rest], query),
  };
}
