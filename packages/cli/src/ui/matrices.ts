import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type MatrixDocument, matrixFormat } from "@assay/matrix/view";
import type { KeptMatrices } from "@assay/web";

/** Where `assay matrix` keeps its documents. */
const usualFolder = join(".assay", "matrix");

const ending = /\.json(?:\.gz)?$/;

export function keptMatrices(named: readonly string[], folder = usualFolder): KeptMatrices {
  const cache = new Map<string, { readonly changed: number; readonly matrix: MatrixDocument | undefined }>();
  const files = (): Map<string, string> =>
    new Map([...keptIn(folder), ...named].map((file) => [basename(file).replace(ending, ""), file]));
  return {
    list: () => [...files().keys()],
    read(name) {
      const file = files().get(name);
      if (file === undefined) return undefined;
      const changed = changedAt(file);
      const known = cache.get(file);
      if (known?.changed === changed) return known.matrix;
      const matrix = readMatrix(file);
      cache.set(file, { changed, matrix });
      return matrix;
    },
  };
}

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function keptIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => ending.test(name))
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** A document of the form that this version reads. */
function readMatrix(file: string): MatrixDocument | undefined {
  try {
    const read = JSON.parse(textIn(file)) as Partial<MatrixDocument>;
    const isWhole = read.format === matrixFormat && Array.isArray(read.cells) && Array.isArray(read.drivers);
    return isWhole ? (read as MatrixDocument) : undefined;
  } catch {
    return undefined;
  }
}

function textIn(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
