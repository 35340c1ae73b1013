import { connectionOptions } from "@assay/suite/options";
import { declare, type FlagsOf } from "./command.ts";

const flags = [["--json", "the normalised card and the findings, as JSON"], connectionOptions] as const;
export type CardFlags = FlagsOf<typeof flags>;

export const addCard = declare({
  name: "card",
  does: "Show an agent's card: how it can be reached, what it can do, and what is wrong with the card.",
  args: [["<url>", "the agent, its card, or its host"]],
  flags,
  help: `
Examples:
  $ assay card http://127.0.0.1:4040/full
  $ assay card https://agents.example.com --bearer env:TOKEN --json

Exit codes: 0 no error in the card · 1 the card breaks the specification · 2 no card to be had`,
  action: async () => (await import("../actions/card.ts")).showCard,
});
