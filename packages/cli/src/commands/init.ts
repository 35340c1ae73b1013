import { connectionOptions } from "@assay/suite/options";
import { count } from "../flag-values.ts";
import { addOptions, type ConnectionFlags } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

export interface InitFlags extends ConnectionFlags {
  readonly force?: boolean;
  readonly config?: string;
  readonly budget?: number;
  readonly useExamples?: boolean;
}

export const addInit: AddCommand = (program, screen, done) => {
  const command = program
    .command("init")
    .description(
      "Write an assay.yaml for an agent, from its card and from what a few messages bring about, for you to review.",
    )
    .argument("<url>", "the agent, its card, or its host")
    .option("--config <file>", "write to this file instead of ./assay.yaml")
    .option("--force", "write over a file that is there")
    .option("--budget <n>", "at most so many messages (8); 0 goes by the card alone", count)
    .option("--use-examples", "the examples of the card's skills may be sent as messages");
  addOptions(command, connectionOptions)
    .addHelpText(
      "after",
      `
Examples:
  $ assay init http://127.0.0.1:9999
  $ assay init http://127.0.0.1:9999 --budget 0
  $ assay init https://agents.example.com/maps --bearer env:TOKEN --config maps.yaml`,
    )
    .action(async (url: string, flags: InitFlags) => {
      const { writeConfig } = await import("../actions/init.ts");
      done(await writeConfig(url, flags, screen));
    });
};
