import type { DialectVersion } from "@assay/protocol";
import { list } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

// Said here once more, because --help must not load the whole protocol.
const versions: readonly DialectVersion[] = ["1.0", "0.3", "0.2", "0.1"];

const flags = [
  ["--dialect <version>", "the version of the protocol", versions, "1.0"],
  ["--area <name>", "only rules of this area, such as LIST (repeatable)", list],
  ["--ends <how>", "only rules that end so", ["checked", "no-check-yet", "client", "permission", "unobservable"]],
  ["--rows", "list every rule, not only the numbers"],
  ["--json", "every rule as JSON"],
  ["--markdown", "every rule as a Markdown table"],
] as const;
export type CoverageFlags = FlagsOf<typeof flags>;

export const addCoverage = declare({
  name: "coverage",
  does: "Show how every rule of the specification ends: checked, or why not.",
  flags,
  help: "\nExamples:\n  $ assay coverage\n  $ assay coverage --area LIST\n  $ assay coverage --dialect 0.3\n  $ assay coverage --markdown > coverage.md",
  action: async () => (await import("../actions/coverage.ts")).showCoverage,
});
