import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type MatrixDocument, matrixFormat } from "@assay/matrix/view";
import type { KeptMatrices } from "@assay/web";
import { UsageError } from "../exit.ts";
import { fileBytes } from "../hallmark/key-files.ts";

/** The folder of the documents that `assay matrix` writes. */
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

/** Rejects a file that the user named and that the page could not show. */
export function assertMatrices(files: readonly string[]): void {
  for (const file of files) {
    fileBytes("--matrix", file);
    if (!readMatrix(file))
      throw new UsageError(
        `--matrix: ${file} is not a report of assay matrix that this version reads`,
        "Write one with: assay matrix --report json=matrix.json",
      );
  }
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

/** Reads a document, or returns undefined if this version does not support its format. */
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
