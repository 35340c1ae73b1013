import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isMatrixSite, type MatrixDocument, matrixMarkdown, matrixSite, readMatrix } from "@assay/matrix";
import { didYouMean } from "@assay/protocol/core";
import { UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";

const formats = ["json", "markdown", "site"] as const;
type MatrixFormat = (typeof formats)[number];

export interface MatrixTarget {
  readonly format: MatrixFormat;
  /** a file, of a site a folder; without one it goes to the output */
  readonly place?: string;
}

/** Reads `json=matrix.json`, `markdown`. */
export function matrixTargets(given: readonly string[]): readonly MatrixTarget[] {
  const targets = given.map((text): MatrixTarget => {
    const [format = "", ...rest] = text.split("=");
    const place = rest.join("=");
    if (!formats.includes(format as MatrixFormat))
      throw new UsageError(
        `--report ${text}: there is no format "${format}".${didYouMean(format, formats)}`,
        `There are: ${formats.join(", ")}`,
      );
    if (format === "site" && place === "")
      throw new UsageError("--report site: a site is a folder.", "Say where: --report site=matrix");
    return { format: format as MatrixFormat, ...(place !== "" && { place }) };
  });
  if (targets.filter(({ place }) => place === undefined).length > 1)
    throw new UsageError("Only one report can go to the output.", "Give the others a place: --report json=matrix.json");
  return targets;
}

/** An earlier matrix, to compare with. */
export function earlierMatrix(file: string): MatrixDocument {
  try {
    const bytes = readFileSync(file);
    return readMatrix((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${file} is refused: ${error.message}`);
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Writes the reports that were asked for; whether one could not be. */
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
      screen.write(textIn(format, matrix, before));
      continue;
    }
    try {
      if (format === "site") writeSite(place, matrix, before);
      else writeTo(place, textIn(format, matrix, before));
      people.line(`  ${format}  ${place}`);
    } catch (error) {
      isUnwritten = true;
      people.complain(`assay: ${place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return isUnwritten;
}

const textIn = (format: MatrixFormat, matrix: MatrixDocument, before: MatrixDocument | undefined): string =>
  format === "json" ? `${JSON.stringify(matrix)}\n` : matrixMarkdown(matrix, before);

/** Pages of an earlier site that this one does not have would go on telling of what is gone: they are taken away. */
function writeSite(folder: string, matrix: MatrixDocument, before: MatrixDocument | undefined): void {
  for (const page of earlierPages(folder)) rmSync(page);
  for (const [path, text] of matrixSite(matrix, before)) writeTo(join(folder, path), text);
}

/** The pages of a site that we wrote there; none where the folder is something else. */
function earlierPages(folder: string): string[] {
  const overview = join(folder, "index.html");
  if (!existsSync(overview) || !isMatrixSite(readFileSync(overview, "utf8"))) return [];
  return ["causes", "pairs"]
    .map((name) => join(folder, name))
    .filter((each) => existsSync(each))
    .flatMap((each) => readdirSync(each).map((file) => join(each, file)))
    .filter((file) => file.endsWith(".html"));
}

function writeTo(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
