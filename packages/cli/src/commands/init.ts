import { connectionOptions } from "@assay/suite/options";
import { count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument } from "./talk-flags.ts";

const flags = [
  ["--config <file>", "file to write (default: ./assay.yaml)"],
  ["--force", "overwrite an existing file"],
  ["--budget <n>", "maximum number of messages to send; 0 reads only the card (default: 8)", count],
  ["--use-examples", "allow sending the examples of the card's skills as messages"],
  "Connection",
  connectionOptions,
] as const;
export type InitFlags = FlagsOf<typeof flags>;

export const addInit = declare("init", {
  group: "test",
  does: "Write an assay.yaml from an agent's card and a few messages.",
  args: [agentArgument],
  flags,
  examples: [
    ["assay init http://127.0.0.1:9999"],
    ["assay init http://127.0.0.1:9999 --budget 0"],
    ["assay init https://agents.example.com/maps --bearer env:TOKEN"],
  ],
  notes: ["Review the file before you use it."],
  action: async () => (await import("../actions/init.ts")).writeConfig,
});
