import { collect, count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument, talkFlags } from "./talk-flags.ts";

const flags = [
  ["--stream", "use SendStreamingMessage, and show events as they come"],
  ["--file <path>", "send this file along (repeatable)", collect],
  ["--data <json>", "send this JSON along, or @file (repeatable)", collect],
  ["--json-message <json>", "send this message as it is, or @file; an id and a role are added where they are missing"],
  ["--task <id>", "continue this task"],
  ["--context <id>", "stay in this context"],
  ["--return-immediately", "do not wait for the task to rest"],
  ["--history-length <n>", "ask for at most this many messages of history", count],
  ...talkFlags,
] as const;
export type SendFlags = FlagsOf<typeof flags>;

export const addSend = declare({
  name: "send",
  does: "Send a message to an A2A agent and show what it answers, as a timeline.",
  args: [agentArgument, ["[text]", "what to say; files and data may do without"]],
  flags,
  help: `
Examples:
  $ assay send http://127.0.0.1:4040/spec "task-lifecycle hello"
  $ assay send http://127.0.0.1:4040/spec "streaming hello" --stream --binding HTTP+JSON
  $ assay send http://127.0.0.1:4040/spec "what is in it?" --file report.pdf --data '{"pages":[1,2]}'
  $ assay send https://agents.example.com/maps "hi" --bearer env:TOKEN --save talk.har

Exit codes: 0 answered · 1 the agent answered with an error or with something that is no A2A · 2 no agent answered`,
  action: async () => (await import("../actions/send.ts")).sendMessage,
});
