import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--agent <url>", "list only the runs of this agent"],
  ["--rule <id>", "show the verdict on one rule, run by run"],
  [
    "--history <address>",
    "history to read: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
  ["--json", "print only the runs, as JSON"],
] as const;
export type RunsFlags = FlagsOf<typeof flags>;

export const addRuns = declare("runs", {
  group: "understand",
  does: "List saved runs, newest first.",
  flags,
  examples: [["assay runs"], ["assay runs --agent http://127.0.0.1:9999"], ["assay runs --rule LIST-003"]],
  notes: [
    "Runs come from .assay/runs and from the history. assay report <run> shows one, assay diff <a> <b> compares two. assay test --keep <n> sets how many recordings to keep.",
    "Assay fills the history from the recordings, so it has the results of runs whose recordings are gone. The history needs Node 22.13 or the package libsql; without either, Assay reads the recordings one by one.",
  ],
  action: async () => (await import("../actions/runs.ts")).listRuns,
});
