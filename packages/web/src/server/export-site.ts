import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonText } from "@assay/reporters/escape";
import { matrixLines } from "../api/matrices/routes.ts";
import { ruleRows } from "../api/rules/routes.ts";
import { reportNamed, runLine } from "../api/runs/run-shelf.ts";
import { pagePolicy } from "./headers.ts";
import type { KeptMatrices, KeptRuns } from "./lab.ts";
import { pageFolder } from "./page-files.ts";

/** What is shown on a site. */
export interface ExportedData {
  readonly runs: KeptRuns;
  /** which of them */
  readonly chosen: readonly string[];
  readonly matrices: KeptMatrices;
}

/**
 * Writes the page as files that any web server can show: what is in them can be read, and nothing asked for. Runs are taken as
 * they were recorded, which is masked; no token and no address of this machine's page is in them.
 */
export async function exportSite(folder: string, { runs: kept, chosen, matrices }: ExportedData): Promise<void> {
  const data = join(folder, "data");
  mkdirSync(join(data, "runs"), { recursive: true });
  cpSync(pageFolder(), folder, { recursive: true });
  const page = join(folder, "index.html");
  writeFileSync(page, exportedPage(readFileSync(page, "utf8")));
  const opened = chosen.flatMap((run) => {
    const events = kept.read(run);
    return events ? [{ run, events }] : [];
  });
  for (const { run, events } of opened)
    writeFileSync(join(data, "runs", `${run}.ndjson`), events.map((event) => `${jsonText(event)}\n`).join(""));
  const lines = opened.map(({ run, events }) => runLine(reportNamed(run, events)));
  writeFileSync(join(data, "runs.json"), jsonText(lines.toReversed()));
  writeFileSync(join(data, "rules.json"), jsonText(await ruleRows()));
  writeFileSync(join(data, "matrices.json"), jsonText(matrixLines(matrices)));
  mkdirSync(join(data, "matrices"), { recursive: true });
  for (const name of matrices.list())
    writeFileSync(join(data, "matrices", `${name}.json`), jsonText(matrices.read(name) ?? null));
}

/** Says what it is, and carries the policy itself: who serves it may send none. */
const exportedPage = (html: string): string =>
  html
    .replace('<html lang="en">', '<html lang="en" data-site="exported">')
    .replace(
      '<meta charset="utf-8" />',
      `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${pagePolicy.join("; ")}" />`,
    );
