import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type MatrixDocument, MatrixRefused, matrixMarkdown, readMatrix } from "@assay/matrix";
import { didYouMean } from "../did-you-mean.ts";
import { UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";

const formats = ["json", "markdown"] as const;
type MatrixFormat = (typeof formats)[number];

export interface MatrixTarget {
  readonly format: MatrixFormat;
  /** a file; without one it goes to the output */
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
    return { format: format as MatrixFormat, ...(place !== "" && { place }) };
  });
  if (targets.filter(({ place }) => place === undefined).length > 1)
    throw new UsageError("Only one report can go to the output.", "Give the others a place: --report json=matrix.json");
  return targets;
}

/** An earlier matrix, to compare with. */
export function earlierMatrix(file: string): MatrixDocument {
  try {
    return readMatrix(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof MatrixRefused) throw new UsageError(`${file} is refused: ${error.message}`);
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
    const text = format === "json" ? `${JSON.stringify(matrix)}\n` : matrixMarkdown(matrix, before);
    if (place === undefined) {
      screen.write(text);
      continue;
    }
    try {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
      people.line(`  ${format}  ${place}`);
    } catch (error) {
      isUnwritten = true;
      people.complain(`assay: ${place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return isUnwritten;
}
