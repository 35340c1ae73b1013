import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  reportOptions,
  ["--procedure", "show the run by the steps of docs/procedure.md (reports: json, markdown, junit)"],
  [
    "--history <address>",
    "history to search for runs that are not in .assay/runs: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
] as const;
export type RecordedReportFlags = FlagsOf<typeof flags>;

export const addReport = declare("report", {
  group: "understand",
  does: "Show a saved run again, or write reports from it. Merge the reports of several runs.",
  args: [["<runs...>", "name of a run (also of a fleet), the start of its name, last, or a file (also a JSON report)"]],
  flags,
  examples: [
    ["assay report last"],
    ["assay report last --report junit=out/assay.xml --report markdown=assay.md"],
    ["assay report 2026-11-15T08-14 --report har > talk.har"],
    [
      "assay report maps.json mail.json --report sarif=all.sarif",
      "merge the reports of two agents (junit, sarif, html, github)",
    ],
    ["assay report sweep-20261116-030000 --history env:HISTORY"],
  ],
  notes: ["assay runs lists the names of the runs."],
  exitCodes: { 0: "written", 2: "run not found", 3: "a report could not be written" },
  action: async () => (await import("../actions/report.ts")).makeReports,
});
