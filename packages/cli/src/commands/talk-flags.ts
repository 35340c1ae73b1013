import { connectionOptions, testOptions } from "@assay/suite/options";
import { collect } from "../flag-values.ts";
import type { FlagsOf } from "./command.ts";

/** The flags of every command that calls one operation of an agent. */
export const talkFlags = [
  ["--json", "print the response, or each event, as a line of JSON"],
  ["--save <file>", "write all exchanges to this file as HAR, with secrets masked"],
  {
    shutdownTimeout: {
      ...testOptions.shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to close the call and write --save before Assay exits",
    },
  },
  "Connection",
  ["--binding <name>", "binding to use (default: the first of the card)", ["JSONRPC", "HTTP+JSON", "GRPC"]],
  ["--dialect <version>", "protocol version to use", ["0.1", "0.2", "0.3", "1.0"]],
  ["--tenant <name>", "use the card's interface for this tenant"],
  ["--extension <uri>", "declare this extension (repeatable)", collect],
  connectionOptions,
] as const;
export type TalkFlags = FlagsOf<typeof talkFlags>;

export const agentArgument = ["<url>", "the agent's address, its card, or its host"] as const;
export const taskArgument = ["<task>", "id of the task"] as const;

export const talkEndings = {
  0: "the agent answered",
  1: "the agent answered with an error, or not in A2A",
  2: "no agent answered",
} as const;
