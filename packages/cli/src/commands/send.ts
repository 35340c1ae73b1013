import { type Command, Option } from "commander";
import { addConnectionFlags, type ConnectionFlags } from "../connection-flags.ts";
import { collect, count } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface SendFlags extends ConnectionFlags {
  readonly stream?: boolean;
  readonly json?: boolean;
  readonly save?: string;
  readonly binding?: string;
  readonly dialect?: string;
  readonly tenant?: string;
  readonly task?: string;
  readonly context?: string;
  readonly returnImmediately?: boolean;
  readonly historyLength?: number;
  readonly extension?: string[];
}

export const addSend: AddCommand = (program, screen, done) => {
  const command: Command = program
    .command("send")
    .description("Send a message to an A2A agent and show what it answers, as a timeline.")
    .argument("<url>", "the agent, its card, or its host")
    .argument("<text>", "what to say")
    .option("--stream", "use SendStreamingMessage, and show events as they come")
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
    .option("--task <id>", "continue this task")
    .option("--context <id>", "stay in this context")
    .option("--return-immediately", "do not wait for the task to rest")
    .option("--history-length <n>", "ask for at most this many messages of history", count)
    .option("--extension <uri>", "declare this extension (repeatable)", collect);
  addConnectionFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  $ assay send http://127.0.0.1:4040/spec "task-lifecycle hello"
  $ assay send http://127.0.0.1:4040/spec "streaming hello" --stream --binding HTTP+JSON
  $ assay send https://agents.example.com/maps "hi" --bearer env:TOKEN --save talk.har

Exit codes: 0 answered · 1 the agent answered with an error or with something that is no A2A · 2 nobody to talk to`,
    )
    .action(async (url: string, text: string, flags: SendFlags) => {
      const { sendMessage } = await import("../runs/send.ts");
      done(await sendMessage(url, text, flags, screen));
    });
};
