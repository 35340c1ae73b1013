import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConformanceReport, type ExchangeRecorded, type RunEvent, runHeadline } from "@assay/suite/report";
import { viewerPage } from "@assay/viewer";
import { matrixLines } from "../api/matrices/routes.ts";
import { ruleRows } from "../api/rules/routes.ts";
import { reportNamed } from "../api/runs/run-shelf.ts";
import type { KeptMatrices, KeptRuns } from "./lab.ts";

/** The content of an exported site. */
export interface ExportedData {
  readonly runs: KeptRuns;
  /** the names of the runs to export */
  readonly chosen: readonly string[];
  readonly matrices: KeptMatrices;
}

/**
 * Writes the page with its data as one file that opens in any browser and needs no server. Runs are masked like their
 * recordings. The file contains no token and no address of this machine's page.
 */
export async function exportSite(folder: string, { runs: kept, chosen, matrices }: ExportedData): Promise<void> {
  const reports = chosen.flatMap((run) => {
    const events = kept.read(run);
    return events ? [withExchanges(reportNamed(run, events), events)] : [];
  });
  const lines = reports.map(runHeadline).toReversed();
  const page = viewerPage({
    title: "Assay",
    start: lines.length > 0 ? "#/history" : "#/matrix",
    data: {
      "/api/runs": lines,
      "/api/rules": await ruleRows(),
      "/api/matrices": matrixLines(matrices),
      ...Object.fromEntries(reports.map((report) => [`/api/runs/${encodeURIComponent(report.run)}`, report])),
      ...Object.fromEntries(
        matrices.list().map((name) => [`/api/matrices/${encodeURIComponent(name)}`, matrices.read(name) ?? null]),
      ),
    },
    summary: lines
      .map(({ testDate, agentName, agentUrl, answer }) => `${testDate} ${agentName} ${agentUrl}: ${answer}`)
      .join("\n"),
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), page);
}

const withExchanges = (report: ConformanceReport, events: readonly RunEvent[]): ConformanceReport => ({
  ...report,
  exchanges: events
    .filter((event): event is ExchangeRecorded => event.event === "exchange")
    .map(({ event: _, ...exchange }) => exchange),
});
