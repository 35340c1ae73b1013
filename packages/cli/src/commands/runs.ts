import type { AddCommand } from "./command.ts";

export interface RunsFlags {
  readonly json?: boolean;
  readonly agent?: string;
  readonly rule?: string;
  readonly history?: string;
}

export const addRuns: AddCommand = (program, screen, done) => {
  program
    .command("runs")
    .description("List the runs that are kept below .assay/runs and those of the history, the newest first.")
    .option("--agent <url>", "only the runs of this agent")
    .option("--rule <id>", "what became of one rule, run by run")
    .option(
      "--history <address>",
      "a history of your own: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
    )
    .option("--json", "print them as JSON, and nothing else")
    .addHelpText(
      "after",
      `
assay report <run> shows one again, assay diff <a> <b> compares two, assay test --keep <n> says how many recordings stay. The history is filled from
the recordings and knows the results of those that are gone; it needs Node 22.13, or the package libsql, and without either the recordings are read one by one.`,
    )
    .action(async (flags: RunsFlags) => {
      const { listRuns } = await import("../actions/runs.ts");
      done(await listRuns(flags, screen));
    });
};
