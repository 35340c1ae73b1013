import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type MatrixDocument, matrixMarkdown, matrixPage, readMatrix } from "@assay/matrix";
import { didYouMean } from "@assay/protocol/core";
import { UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";

export interface MatrixTarget {
  readonly format: MatrixFormat;
  /** a file, or a folder for a site; absent: stdout */
  readonly place?: string;
}

/** Reads report options such as `json=matrix.json` or `markdown`. */
export function matrixTargets(given: readonly string[]): readonly MatrixTarget[] {
  const targets = given.map((text): MatrixTarget => {
    const [format = "", ...rest] = text.split("=");
    const place = rest.join("=");
    if (!formatNames.includes(format))
      throw new UsageError(
        `--report ${text}: unknown format "${format}".${didYouMean(format, formatNames)}`,
        `Formats: ${formatNames.join(", ")}`,
      );
    if (format === "site" && place === "")
      throw new UsageError("--report site needs a folder.", "Pass it: --report site=matrix");
    return { format: format as MatrixFormat, ...(place !== "" && { place }) };
  });
  if (targets.filter(({ place }) => place === undefined).length > 1)
    throw new UsageError("Only one report can go to stdout.", "Give the others a place: --report json=matrix.json");
  return targets;
}

/** Reads an earlier matrix to compare with. */
export function earlierMatrix(file: string): MatrixDocument {
  try {
    const bytes = readFileSync(file);
    return readMatrix((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`Cannot use ${file}: ${error.message}`);
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Writes the requested reports. Returns true if one could not be written. */
export function writeMatrixReports(
  targets: readonly MatrixTarget[],
  matrix: MatrixDocument,
  before: MatrixDocument | undefined,
  screen: Screen,
  people: Screen,
): boolean {
  let isUnwritten = false;
  for (const { format, place } of targets) {
    if (place === undefined) {
      screen.write(formats[format](matrix, before));
      continue;
    }
    try {
      writeTo(format === "site" ? join(place, "index.html") : place, formats[format](matrix, before));
      people.line(`  ${format}  ${place}`);
    } catch (error) {
      isUnwritten = true;
      people.complain(`assay: ${place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return isUnwritten;
}

/** The formats by name. */
const formats = {
  json: (matrix) => `${JSON.stringify(matrix)}\n`,
  markdown: matrixMarkdown,
  site: matrixPage,
} as const satisfies Record<string, (matrix: MatrixDocument, before: MatrixDocument | undefined) => string>;
type MatrixFormat = keyof typeof formats;
const formatNames = Object.keys(formats);

function writeTo(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
