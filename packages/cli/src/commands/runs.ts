import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--agent <url>", "only the runs of this agent"],
  ["--rule <id>", "what became of one rule, run by run"],
  [
    "--history <address>",
    "a history of your own: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
  ["--json", "print them as JSON, and nothing else"],
] as const;
export type RunsFlags = FlagsOf<typeof flags>;

export const addRuns = declare({
  name: "runs",
  does: "List the runs that are kept below .assay/runs and those of the history, the newest first.",
  flags,
  help: `
assay report <run> shows one again, assay diff <a> <b> compares two, assay test --keep <n> says how many recordings stay. The history is filled from
the recordings and knows the results of those that are gone; it needs Node 22.13, or the package libsql, and without either the recordings are read one by one.`,
  action: async () => (await import("../actions/runs.ts")).listRuns,
});
