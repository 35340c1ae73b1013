import { connectionOptions } from "@assay/suite/options";
import { count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--config <file>", "write to this file instead of ./assay.yaml"],
  ["--force", "write over a file that is there"],
  ["--budget <n>", "at most so many messages (8); 0 goes by the card alone", count],
  ["--use-examples", "the examples of the card's skills may be sent as messages"],
  connectionOptions,
] as const;
export type InitFlags = FlagsOf<typeof flags>;

export const addInit = declare({
  name: "init",
  does: "Write an assay.yaml for an agent, from its card and from what a few messages bring about, for you to review.",
  args: [["<url>", "the agent, its card, or its host"]],
  flags,
  help: `
Examples:
  $ assay init http://127.0.0.1:9999
  $ assay init http://127.0.0.1:9999 --budget 0
  $ assay init https://agents.example.com/maps --bearer env:TOKEN --config maps.yaml`,
  action: async () => (await import("../actions/init.ts")).writeConfig,
});
