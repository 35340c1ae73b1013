import type { AddCommand } from "./command.ts";

export interface RunsFlags {
  readonly json?: boolean;
}

export const addRuns: AddCommand = (program, screen, done) => {
  program
    .command("runs")
    .description("List the runs that are kept below .assay/runs, the newest first.")
    .option("--json", "print them as JSON, and nothing else")
    .addHelpText(
      "after",
      "\nassay report <run> shows one again, assay diff <a> <b> compares two, assay test --keep <n> says how many stay.",
    )
    .action(async (flags: RunsFlags) => {
      const { listRuns } = await import("../runs/runs.ts");
      done(listRuns(flags, screen));
    });
};
