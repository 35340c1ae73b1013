import { collect, count } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";
import { addTalkFlags, type TalkFlags } from "./talk-flags.ts";

export interface SendFlags extends TalkFlags {
  readonly stream?: boolean;
  readonly file?: string[];
  readonly data?: string[];
  readonly jsonMessage?: string;
  readonly task?: string;
  readonly context?: string;
  readonly returnImmediately?: boolean;
  readonly historyLength?: number;
}

export const addSend: AddCommand = (program, screen, done) => {
  const command = program
    .command("send")
    .description("Send a message to an A2A agent and show what it answers, as a timeline.")
    .argument("<url>", "the agent, its card, or its host")
    .argument("[text]", "what to say; files and data may do without")
    .option("--stream", "use SendStreamingMessage, and show events as they come")
    .option("--file <path>", "send this file along (repeatable)", collect)
    .option("--data <json>", "send this JSON along, or @file (repeatable)", collect)
    .option(
      "--json-message <json>",
      "send this message as it is, or @file; an id and a role are added where they are missing",
    )
    .option("--task <id>", "continue this task")
    .option("--context <id>", "stay in this context")
    .option("--return-immediately", "do not wait for the task to rest")
    .option("--history-length <n>", "ask for at most this many messages of history", count);
  addTalkFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  $ assay send http://127.0.0.1:4040/spec "task-lifecycle hello"
  $ assay send http://127.0.0.1:4040/spec "streaming hello" --stream --binding HTTP+JSON
  $ assay send http://127.0.0.1:4040/spec "what is in it?" --file report.pdf --data '{"pages":[1,2]}'
  $ assay send https://agents.example.com/maps "hi" --bearer env:TOKEN --save talk.har

Exit codes: 0 answered · 1 the agent answered with an error or with something that is no A2A · 2 no agent answered`,
    )
    .action(async (url: string, text: string | undefined, flags: SendFlags) => {
      const { sendMessage } = await import("../actions/send.ts");
      done(await sendMessage(url, text, flags, screen));
    });
};
