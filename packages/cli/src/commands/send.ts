import { collect, count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument, talkEndings, talkFlags } from "./talk-flags.ts";

const flags = [
  ["--stream", "use SendStreamingMessage and show events as they arrive"],
  ["--file <path>", "attach this file (repeatable)", collect],
  ["--data <json>", "attach this JSON, or @file (repeatable)", collect],
  ["--json-message <json>", "send this message unchanged, or @file; Assay adds a missing id or role"],
  ["--task <id>", "continue this task"],
  ["--context <id>", "stay in this context"],
  ["--return-immediately", "return at once instead of waiting until the task ends or needs input"],
  ["--history-length <n>", "maximum number of history messages to request", count],
  ...talkFlags,
] as const;
export type SendFlags = FlagsOf<typeof flags>;

export const addSend = declare("send", {
  group: "build",
  does: "Send a message to an agent and show the response.",
  args: [agentArgument, ["[text]", "text to send; optional with --file or --data"]],
  flags,
  examples: [
    ['assay send http://127.0.0.1:4040/spec "task-lifecycle hello"'],
    ['assay send http://127.0.0.1:4040/spec "streaming hello" --stream'],
    ['assay send http://127.0.0.1:4040/spec "what is in it?" --file report.pdf'],
    ['assay send https://agents.example "hi" --bearer env:TOKEN --save talk.har'],
  ],
  exitCodes: talkEndings,
  action: async () => (await import("../actions/send.ts")).sendMessage,
});
