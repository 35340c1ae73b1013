import { connectionOptions } from "@assay/suite/options";
import { type Command, Option } from "commander";
import { collect } from "../flag-values.ts";
import { addOptions, type ConnectionFlags } from "../option-flags.ts";

/** The flags of every command that talks to an agent by hand. */
export interface TalkFlags extends ConnectionFlags {
  readonly json?: boolean;
  readonly save?: string;
  readonly binding?: string;
  readonly dialect?: string;
  readonly tenant?: string;
  readonly extension?: string[];
}

export const addTalkFlags = (command: Command): Command =>
  addOptions(
    command
      .option("--json", "print the answer, or each event, as a line of JSON")
      .option("--save <file>", "write all exchanges to this file as HAR, with secrets masked")
      .addOption(
        new Option("--binding <name>", "use this binding instead of the card's first").choices([
          "JSONRPC",
          "HTTP+JSON",
          "GRPC",
        ]),
      )
      .addOption(
        new Option("--dialect <version>", "use an interface of this protocol version").choices([
          "0.1",
          "0.2",
          "0.3",
          "1.0",
        ]),
      )
      .option("--tenant <name>", "use the card's interface for this tenant")
      .option("--extension <uri>", "declare this extension (repeatable)", collect),
    connectionOptions,
  );
