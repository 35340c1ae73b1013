import { helpOf, testOptions } from "@assay/suite/options";
import { parserOf, seconds } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument, talkFlags, taskArgument } from "./talk-flags.ts";

const { webhookListen } = testOptions;

const createFlags = [
  ["--to <url>", "send notifications to this URL, and do not wait for them"],
  ["--id <id>", "id of the configuration"],
  ["--token <text>", "token that notifications carry"],
  ["--listen <host:port>", helpOf(webhookListen), parserOf(webhookListen.is)],
  ["--webhook-url <url>", "address of Assay's webhook for the agent, if the agent runs on another machine"],
  ["--for <seconds>", "how long to wait for notifications (default: 300)", seconds],
  ...talkFlags,
] as const;
export type PushCreateFlags = FlagsOf<typeof createFlags>;

const ofTask = [agentArgument, taskArgument];
const ofConfiguration = [...ofTask, ["<id>", "id of the configuration"] as const];

export const addPush = declare("push", {
  group: "build",
  does: "Manage the webhooks of a task and watch its notifications.",
  examples: [
    ["assay push create http://127.0.0.1:4040/full <task>"],
    ["assay push list http://127.0.0.1:4040/full <task>"],
  ],
  commands: [
    {
      name: "create",
      does: "Set a webhook for a task. Without --to, Assay receives and shows the notifications until the task ends.",
      args: ofTask,
      flags: createFlags,
      examples: [
        ["assay push create http://127.0.0.1:4040/full <task>"],
        ["assay push create https://agents.example <task> --to https://hooks.example"],
      ],
      action: async () => (await import("../actions/push.ts")).createPush,
    },
    {
      name: "get",
      does: "Show one push configuration of a task.",
      args: ofConfiguration,
      flags: talkFlags,
      examples: [["assay push get http://127.0.0.1:4040/full <task> <id>"]],
      action: async () => (await import("../actions/push.ts")).getPush,
    },
    {
      name: "list",
      does: "List the push configurations of a task.",
      args: ofTask,
      flags: talkFlags,
      examples: [["assay push list http://127.0.0.1:4040/full <task>"]],
      action: async () => (await import("../actions/push.ts")).listPush,
    },
    {
      name: "delete",
      does: "Delete a push configuration of a task.",
      args: ofConfiguration,
      flags: talkFlags,
      examples: [["assay push delete http://127.0.0.1:4040/full <task> <id>"]],
      action: async () => (await import("../actions/push.ts")).deletePush,
    },
  ],
});
