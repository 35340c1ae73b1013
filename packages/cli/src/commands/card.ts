import { connectionOptions } from "@assay/suite/options";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument } from "./talk-flags.ts";

const flags = [
  ["--json", "print the normalised card and the findings as JSON"],
  "Connection",
  connectionOptions,
] as const;
export type CardFlags = FlagsOf<typeof flags>;

export const addCard = declare("card", {
  group: "build",
  does: "Show an agent's card and the errors in it.",
  args: [agentArgument],
  flags,
  examples: [
    ["assay card http://127.0.0.1:4040/full"],
    ["assay card https://agents.example.com --bearer env:TOKEN --json"],
  ],
  exitCodes: {
    0: "the card has no errors",
    1: "the card breaks the specification",
    2: "no card found",
  },
  action: async () => (await import("../actions/card.ts")).showCard,
});
