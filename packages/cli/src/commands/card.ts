import { connectionOptions } from "@assay/suite/options";
import { addOptions, type ConnectionFlags } from "../option-flags.ts";
import type { AddCommand } from "./command.ts";

export interface CardFlags extends ConnectionFlags {
  readonly json?: boolean;
}

export const addCard: AddCommand = (program, screen, done) => {
  const command = program
    .command("card")
    .description("Show an agent's card: how it can be reached, what it can do, and what is wrong with the card.")
    .argument("<url>", "the agent, its card, or its host")
    .option("--json", "the normalised card and the findings, as JSON");
  addOptions(command, connectionOptions)
    .addHelpText(
      "after",
      `
Examples:
  $ assay card http://127.0.0.1:4040/full
  $ assay card https://agents.example.com --bearer env:TOKEN --json

Exit codes: 0 no error in the card · 1 the card breaks the specification · 2 no card to be had`,
    )
    .action(async (url: string, flags: CardFlags) => {
      const { showCard } = await import("../actions/card.ts");
      done(await showCard(url, flags, screen));
    });
};
