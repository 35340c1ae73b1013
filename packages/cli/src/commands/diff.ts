import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--history <address>", "history to search for runs whose recordings are gone (default: .assay/history.db)"],
  ["--json", "print the comparison as JSON, and nothing else"],
  ["--markdown", "print it as Markdown, for a pull request"],
] as const;
export type DiffFlags = FlagsOf<typeof flags>;

export const addDiff = declare({
  name: "diff",
  does: "Compare two runs: what was fixed, what broke, what is new, what is no longer examined.",
  args: [
    [
      "[before]",
      'a run below .assay/runs or the beginning of its name, "last~1", a file of events or a JSON report',
      "last~1",
    ],
    ["[after]", "the same", "last"],
  ],
  flags,
  help: `
Examples:
  $ assay diff                                the last run and the one before
  $ assay diff last~5 last
  $ assay diff main.json branch.json --markdown

Exit codes: 0 nothing that held is broken · 1 something is, or the outcome became worse · 2 there is no such run`,
  action: async () => (await import("../actions/diff.ts")).compareRuns,
});
