import type { DialectVersion } from "@assay/protocol";
import { Option } from "commander";
import { list } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface CoverageFlags {
  readonly dialect?: DialectVersion;
  readonly area?: string[];
  readonly ends?: string;
  readonly rows?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

// Said here once more, because --help must not load the whole protocol.
const versions: readonly DialectVersion[] = ["1.0", "0.3", "0.2", "0.1"];

export const addCoverage: AddCommand = (program, screen, done) => {
  program
    .command("coverage")
    .description("Show how every rule of the specification ends: checked, or why not.")
    .addOption(new Option("--dialect <version>", "the version of the protocol").choices(versions).default("1.0"))
    .option("--area <name>", "only rules of this area, such as LIST (repeatable)", list)
    .addOption(
      new Option("--ends <how>", "only rules that end so").choices([
        "checked",
        "no-check-yet",
        "client",
        "permission",
        "unobservable",
      ]),
    )
    .option("--rows", "list every rule, not only the numbers")
    .option("--json", "every rule as JSON")
    .option("--markdown", "every rule as a Markdown table")
    .addHelpText(
      "after",
      "\nExamples:\n  $ assay coverage\n  $ assay coverage --area LIST\n  $ assay coverage --dialect 0.3\n  $ assay coverage --markdown > coverage.md",
    )
    .action(async (flags: CoverageFlags) => {
      const { showCoverage } = await import("../actions/coverage.ts");
      done(await showCoverage(flags, screen));
    });
};
