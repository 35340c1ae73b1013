import { connectionOptions } from "@assay/suite/options";
import { collect } from "../flag-values.ts";
import type { FlagsOf } from "./command.ts";

/** The flags of every command that talks to an agent by hand. */
export const talkFlags = [
  ["--json", "print the answer, or each event, as a line of JSON"],
  ["--save <file>", "write all exchanges to this file as HAR, with secrets masked"],
  ["--binding <name>", "use this binding instead of the card's first", ["JSONRPC", "HTTP+JSON", "GRPC"]],
  ["--dialect <version>", "use an interface of this protocol version", ["0.1", "0.2", "0.3", "1.0"]],
  ["--tenant <name>", "use the card's interface for this tenant"],
  ["--extension <uri>", "declare this extension (repeatable)", collect],
  connectionOptions,
] as const;
export type TalkFlags = FlagsOf<typeof talkFlags>;

export const agentArgument = ["<url>", "the agent, its card, or its host"] as const;
export const taskArgument = ["<task>", "the id of the task"] as const;
