import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  reportOptions,
  ["--procedure", "show the run by the steps of docs/procedure.md (reports: json, markdown, junit)"],
  [
    "--history <address>",
    "look for runs that are not recorded below .assay/runs in this history: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
] as const;
export type RecordedReportFlags = FlagsOf<typeof flags>;

export const addReport = declare({
  name: "report",
  does: "Make reports from a run that was recorded, or is in the history; without --report, show what it found.",
  args: [["<run>", 'the name of a run, of a fleet too, or the beginning of it, "last", or a file']],
  flags,
  help: `
Examples:
  $ assay report last
  $ assay report last --report junit=out/assay.xml --report markdown=out/assay.md
  $ assay report 2026-11-15T08-14 --report har > talk.har
  $ assay report sweep-20261116-030000-a1b2c3-0f1e2d3c4b5a6978 --history env:HISTORY     of a fleet: assay runs lists them

Exit codes: 0 written · 2 there is no such run · 3 a report could not be written`,
  action: async () => (await import("../actions/report.ts")).makeReports,
});
