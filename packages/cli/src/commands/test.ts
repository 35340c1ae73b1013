import { optionGroups, type TestValues, testOptions } from "@assay/suite/options";
import { depthCosts, depths } from "@assay/suite/report";
import { Option } from "commander";
import { addOptions, reportOptions } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

/** The options of the call, each under the name that it has in the table. */
export type TestFlags = TestValues;

/** In the order of the headings; within a group in that of the table. */
const byGroup = Object.fromEntries(
  optionGroups.flatMap((group) =>
    Object.entries({ ...testOptions, ...reportOptions }).filter(([, row]) => row.group === group),
  ),
);

export const addTest: AddCommand = (program, screen, done) => {
  const command = program
    .command("test")
    .description("Test an agent: does it conform, and what has to be fixed?")
    .argument("[url]", "the agent, its card, or its host (default: the one of assay.yaml)")
    .addHelpOption(new Option("-h, --help", "display help for command").helpGroup("Output:"));
  addOptions(command, byGroup, { grouped: true })
    .addHelpText(
      "after",
      `
Examples:
  $ assay test http://127.0.0.1:9999
  $ assay test http://127.0.0.1:9999 --depth full --report junit=out/assay.xml
  $ assay test https://agents.example.com/maps --bearer env:TOKEN --budget 4
  $ assay test http://127.0.0.1:9999 --start "npm run agent" --watch
  $ assay test http://127.0.0.1:9999 --only streaming --only LIST-003
  $ assay test http://127.0.0.1:9999 --dry-run              what would be sent? Only the card is fetched
  $ assay test http://127.0.0.1:9999 --depth full --resume  go on where the last run was cut off
  $ assay test http://127.0.0.1:9999 --dialect 0.3 --only 'V03-*'

Depth: ${depths.map((each) => `${each} (${depthCosts[each]})`).join(" · ")}
A message is what the agent works on, and may be a model call that costs money. What was sent wrong on purpose counts if it is accepted.
Exit codes: 0 conformant, as far as examined · 1 not conformant, or less than --fail-on, --require-level, --min-examined ask
for · 2 wrong usage, or inconclusive: not reachable, no card, a login, or no message answered · 3 our own error ·
130 interrupted`,
    )
    .action(async (url: string | undefined, flags: TestFlags) => {
      const { runTest } = await import("../actions/test.ts");
      done(await runTest(url, flags, screen));
    });
};
