import { connectionOptions } from "@assay/suite/options";
import { count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--config <file>", "file to write (default: ./assay.yaml)"],
  ["--force", "overwrite an existing file"],
  ["--budget <n>", "maximum number of messages to send; 0 reads only the card (default: 8)", count],
  ["--use-examples", "allow sending the examples of the card's skills as messages"],
  ["--agents-md", "add a paragraph for coding agents to ./AGENTS.md; without <url>, write nothing else"],
  "Connection",
  connectionOptions,
] as const;
export type InitFlags = FlagsOf<typeof flags>;

export const addInit = declare("init", {
  group: "test",
  does: "Write an assay.yaml from an agent's card and a few messages.",
  args: [["[url]", "the agent's address, its card, or its host (optional with --agents-md)"]],
  flags,
  examples: [
    ["assay init http://127.0.0.1:9999"],
    ["assay init http://127.0.0.1:9999 --budget 0"],
    ["assay init https://agents.example.com/maps --bearer env:TOKEN"],
    ["assay init --agents-md", "tell coding agents in this project about Assay"],
  ],
  notes: ["Review the file before you use it."],
  action: async () => (await import("../actions/init.ts")).initProject,
});
