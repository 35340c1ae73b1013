import {
  depthCosts,
  depths,
  flagOf,
  optionGroups,
  optionNames,
  optionOf,
  type TestValues,
  testOptions,
} from "@assay/suite/options";
import { Option } from "commander";
import { addOptions, reportOptions } from "../option-flags.ts";
import { type AddCommand, commandGroups } from "./command.ts";

/** The values of the flags, under their names in the table. */
export type TestFlags = TestValues;

/** The options in the order of the headings, and within a group in the order of the table. */
const byGroup = Object.fromEntries(
  optionGroups.flatMap((group) =>
    Object.entries({ ...testOptions, ...reportOptions }).filter(([, row]) => row.group === group),
  ),
);

const common = optionNames.filter((name) => optionOf(name).common).map(flagOf);

export const addTest: AddCommand = (program, screen, done) => {
  const command = program
    .command("test")
    .description("Test an agent and show how to fix each failure.")
    .helpGroup(commandGroups.test)
    .showHelpAfterError('Run "assay test --help" to see the usage.')
    .argument("[url]", "the agent's address, its card, or its host (default: the agent of assay.yaml)")
    .addHelpOption(new Option("-h, --help", "show the common options").helpGroup("Help:"))
    .helpText({
      examples: [
        ["assay test http://127.0.0.1:9999"],
        ["assay test http://127.0.0.1:9999 --depth full --report junit=assay.xml"],
        ["assay test https://agents.example.com/maps --bearer env:TOKEN --budget 4"],
        ['assay test http://127.0.0.1:9999 --start "npm run agent" --watch'],
        ["assay test http://127.0.0.1:9999 --only streaming --only LIST-003"],
        ["assay test http://127.0.0.1:9999 --dry-run"],
      ],
      notes: [
        `Depth: ${depths.map((each) => `${each} (${depthCosts[each]})`).join(", ")}. The agent works on each message, which may be a model call that costs money. A deliberately malformed message counts if the agent accepts it.`,
      ],
      exitCodes: {
        0: "conformant, as far as examined",
        1: "not conformant, or below --fail-on, --require-level or --min-examined",
        2: "wrong usage, or inconclusive: unreachable, no card, credentials required, or no message answered",
        3: "internal error",
        130: "interrupted",
      },
    });
  addOptions(command, byGroup, "grouped")
    .addOption(new Option("--help-all", "show all options (also in docs/cli.md)").helpGroup("Help:"))
    .commonFlags(common)
    .action(async (url: string | undefined, flags: TestFlags) => {
      const { runTest } = await import("../actions/test.ts");
      done(await runTest(url, flags, screen));
    });
};
