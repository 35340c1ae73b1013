import {
  type Cell,
  type MatrixComparison,
  type MatrixDocument,
  type MatrixExchange,
  matrixFormat,
} from "@assay/matrix/view";
import { jsonIn } from "@assay/suite/report";
import { get } from "../../app/api.ts";
import { isStatic } from "../../app/embedded.ts";

/** A matrix. Its large parts are loaded on demand. */
export interface MatrixSource {
  /** the cells, without steps and exchanges if the page loads those on demand */
  readonly matrix: MatrixDocument;
  cell(id: string): Promise<Cell>;
  exchange(id: string): Promise<MatrixExchange>;
  /** the changes since an earlier matrix; undefined if there is none */
  since(): Promise<MatrixComparison | undefined>;
}

/** Documents that the user opened from a file. The page reads them and sends them nowhere. */
const held = new Map<string, MatrixSource>();

export async function openMatrix(name: string): Promise<MatrixSource> {
  const known = held.get(name);
  if (known) return known;
  const path = encodeURIComponent(name);
  const matrix = await get<MatrixDocument>(`/api/matrices/${path}`);
  const compared = (): Promise<MatrixComparison | undefined> =>
    get<MatrixComparison | null>(`/api/matrices/${path}/since`).then(
      (since) => since ?? undefined,
      () => undefined,
    );
  if (isStatic) return hold(name, matrix, compared);
  return {
    matrix,
    cell: (id) => get<Cell>(`/api/matrices/${path}/cells/${encodeURIComponent(id)}`),
    exchange: (id) => get<MatrixExchange>(`/api/matrices/${path}/exchanges/${encodeURIComponent(id)}`),
    since: compared,
  };
}

/** Opens a matrix document and returns the name that now identifies it. */
export async function openMatrixFile(file: File): Promise<string> {
  const read = jsonIn(await file.text()) as Partial<MatrixDocument> | undefined;
  if (read?.format !== matrixFormat || !Array.isArray(read.cells) || !Array.isArray(read.drivers))
    throw new Error(`${file.name} is not a matrix document that this version can read. \`assay matrix\` writes one.`);
  const name = `file-${held.size + 1}`;
  hold(name, read as MatrixDocument);
  return name;
}

function hold(
  name: string,
  matrix: MatrixDocument,
  since: MatrixSource["since"] = () => Promise.resolve(undefined),
): MatrixSource {
  const found = <T>(value: T | undefined, what: string): Promise<T> =>
    value === undefined ? Promise.reject(new Error(`The matrix does not contain ${what}.`)) : Promise.resolve(value);
  const source: MatrixSource = {
    matrix,
    cell: (id) =>
      found(
        matrix.cells.find((cell) => cell.id === id),
        `the cell ${id}`,
      ),
    exchange: (id) =>
      found(Object.hasOwn(matrix.exchanges, id) ? matrix.exchanges[id] : undefined, `the exchange ${id}`),
    since,
  };
  held.set(name, source);
  return source;
}
