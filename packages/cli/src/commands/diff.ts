import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--history <address>", "history to search for runs whose recordings are gone (default: .assay/history.db)"],
  ["--json", "print only the comparison, as JSON"],
  ["--markdown", "print the comparison as Markdown, for a pull request"],
] as const;
export type DiffFlags = FlagsOf<typeof flags>;

export const addDiff = declare("diff", {
  group: "understand",
  does: "Compare two runs: what was fixed, what broke, what is new.",
  args: [
    [
      "[before]",
      "a run in .assay/runs (its name, the start of its name, or last~1), an event file, or a JSON report",
      "last~1",
    ],
    ["[after]", "the run to compare it with", "last"],
  ],
  flags,
  examples: [
    ["assay diff", "compare the last run with the one before"],
    ["assay diff last~5 last"],
    ["assay diff main.json branch.json --markdown"],
  ],
  exitCodes: {
    0: "no new failures",
    1: "new failures, or a worse outcome",
    2: "run not found",
  },
  action: async () => (await import("../actions/diff.ts")).compareRuns,
});
