import type { DialectVersion } from "@assay/protocol";
import type { DraftSet } from "@assay/suite";
import { list } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

// Repeated here, because --help must not load the whole protocol.
const versions: readonly (DialectVersion | DraftSet)[] = ["1.0", "0.3", "0.2", "0.1", "1.1-draft1"];

const flags = [
  ["--dialect <version>", "protocol version, or the rules that a draft adds", versions, "1.0"],
  ["--area <name>", "show only rules of this area, such as LIST (repeatable)", list],
  [
    "--ends <how>",
    "show only rules with this state",
    ["checked", "no-check-yet", "client", "permission", "unobservable"],
  ],
  ["--rows", "list every rule, not only the totals"],
  ["--json", "print every rule as JSON"],
  ["--markdown", "print every rule as a Markdown table"],
] as const;
export type CoverageFlags = FlagsOf<typeof flags>;

export const addCoverage = declare("coverage", {
  group: "understand",
  does: "Show which rules Assay checks, and why not the others.",
  flags,
  examples: [
    ["assay coverage"],
    ["assay coverage --area LIST"],
    ["assay coverage --dialect 0.3"],
    ["assay coverage --dialect 1.1-draft1"],
    ["assay coverage --markdown > coverage.md"],
  ],
  notes: ['For each rule, Assay shows "checked" or the reason why it does not check it.'],
  action: async () => (await import("../actions/coverage.ts")).showCoverage,
});
