import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type MatrixDocument, matrixFormat } from "@assay/matrix/view";
import type { KeptMatrices } from "@assay/web";

/** Where matrix documents are looked for, besides the files that are named. */
const usualFolder = join(".assay", "matrix");

export function keptMatrices(named: readonly string[]): KeptMatrices {
  const cache = new Map<string, { readonly changed: number; readonly matrix: MatrixDocument | undefined }>();
  const files = (): Map<string, string> =>
    new Map([...kept(), ...named].map((file) => [basename(file, ".json"), file]));
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

function kept(): string[] {
  try {
    return readdirSync(usualFolder)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => join(usualFolder, name));
  } catch {
    return [];
  }
}

/** A document of the form that this version reads. */
function readMatrix(file: string): MatrixDocument | undefined {
  try {
    const read = JSON.parse(readFileSync(file, "utf8")) as Partial<MatrixDocument>;
    const isWhole = read.format === matrixFormat && Array.isArray(read.cells) && Array.isArray(read.drivers);
    return isWhole ? (read as MatrixDocument) : undefined;
  } catch {
    return undefined;
  }
}
