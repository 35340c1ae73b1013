import { addOptions, type ReportFlags, reportOptions } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

export interface RecordedReportFlags extends ReportFlags {
  readonly procedure?: boolean;
  readonly history?: string;
}

export const addReport: AddCommand = (program, screen, done) => {
  const command = program
    .command("report")
    .description(
      "Make reports from a run that was recorded, or is in the history; without --report, show what it found.",
    )
    .argument("<run>", 'the name of a run, of a fleet too, or the beginning of it, "last", or a file');
  addOptions(command, reportOptions)
    .option("--procedure", "show the run by the steps of docs/procedure.md (reports: json, markdown, junit)")
    .option(
      "--history <address>",
      "look for runs that are not recorded below .assay/runs in this history: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ assay report last
  $ assay report last --report junit=out/assay.xml --report markdown=out/assay.md
  $ assay report 2026-11-15T08-14 --report har > talk.har
  $ assay report sweep-20261116-030000-a1b2c3-0f1e2d3c4b5a6978 --history env:HISTORY     of a fleet: assay runs lists them

Exit codes: 0 written · 2 there is no such run · 3 a report could not be written`,
    )
    .action(async (run: string, flags: RecordedReportFlags) => {
      const { makeReports } = await import("../actions/report.ts");
      done(await makeReports(run, flags, screen));
    });
};
