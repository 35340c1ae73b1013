import type { AddCommand } from "./command.ts";

export interface DiffFlags {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly history?: string;
}

export const addDiff: AddCommand = (program, screen, done) => {
  program
    .command("diff")
    .description("Compare two runs: what was fixed, what broke, what is new, what is no longer examined.")
    .argument(
      "[before]",
      'a run below .assay/runs or the beginning of its name, "last~1", a file of events or a JSON report',
      "last~1",
    )
    .argument("[after]", "the same", "last")
    .option(
      "--history <address>",
      "look for runs that are no longer recorded in this history (default: .assay/history.db)",
    )
    .option("--json", "print the comparison as JSON, and nothing else")
    .option("--markdown", "print it as Markdown, for a pull request")
    .addHelpText(
      "after",
      `
Examples:
  $ assay diff                                the last run and the one before
  $ assay diff last~5 last
  $ assay diff main.json branch.json --markdown

Exit codes: 0 nothing that held is broken · 1 something is, or the outcome became worse · 2 there is no such run`,
    )
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { compareRuns } = await import("../actions/diff.ts");
      done(await compareRuns(before, after, flags, screen));
    });
};
