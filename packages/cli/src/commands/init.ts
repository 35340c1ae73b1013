import { addConnectionFlags, type ConnectionFlags } from "../connection-flags.ts";
import type { AddCommand } from "./command.ts";

export interface InitFlags extends ConnectionFlags {
  readonly force?: boolean;
  readonly config?: string;
}

export const addInit: AddCommand = (program, screen, done) => {
  const command = program
    .command("init")
    .description("Write an assay.yaml for an agent, from what its card says, for you to review.")
    .argument("<url>", "the agent, its card, or its host")
    .option("--config <file>", "write to this file instead of ./assay.yaml")
    .option("--force", "write over a file that is there");
  addConnectionFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  $ assay init http://127.0.0.1:9999
  $ assay init https://agents.example.com/maps --bearer env:TOKEN --config maps.yaml`,
    )
    .action(async (url: string, flags: InitFlags) => {
      const { writeConfig } = await import("../runs/init.ts");
      done(await writeConfig(url, flags, screen));
    });
};
