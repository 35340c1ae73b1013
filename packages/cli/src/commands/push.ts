import { helpOf, testOptions } from "@assay/suite/options";
import { parserOf, seconds } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument, talkFlags, taskArgument } from "./talk-flags.ts";

const { webhookListen } = testOptions;

const createFlags = [
  ["--to <url>", "notify this address, and do not wait"],
  ["--id <id>", "call the configuration so"],
  ["--token <text>", "the token that notifications carry"],
  ["--listen <host:port>", helpOf(webhookListen), parserOf(webhookListen.is)],
  ["--webhook-url <url>", "the address at which the agent reaches our webhook, when it is not on this machine"],
  ["--for <seconds>", "wait for notifications at most this long (300 unless given)", seconds],
  ...talkFlags,
] as const;
export type PushCreateFlags = FlagsOf<typeof createFlags>;

const ofTask = [agentArgument, taskArgument];
const ofConfiguration = [...ofTask, ["<id>", "the id of the configuration"] as const];

export const addPush = declare({
  name: "push",
  does: "Push notifications of a task: set a webhook, see what arrives, read and delete configurations.",
  help: `
Examples:
  $ assay push create http://127.0.0.1:4040/full <task>                  a webhook here; shows what arrives
  $ assay push create https://agents.example.com <task> --to https://hooks.example.com/a2a
  $ assay push list http://127.0.0.1:4040/full <task>`,
  commands: [
    {
      name: "create",
      does: "Set a webhook for a task; without --to it is one of ours, and what arrives is shown until the task ends.",
      args: ofTask,
      flags: createFlags,
      action: async () => (await import("../actions/push.ts")).createPush,
    },
    {
      name: "get",
      does: "Show one push configuration of a task.",
      args: ofConfiguration,
      flags: talkFlags,
      action: async () => (await import("../actions/push.ts")).getPush,
    },
    {
      name: "list",
      does: "List the push configurations of a task.",
      args: ofTask,
      flags: talkFlags,
      action: async () => (await import("../actions/push.ts")).listPush,
    },
    {
      name: "delete",
      does: "Delete a push configuration of a task.",
      args: ofConfiguration,
      flags: talkFlags,
      action: async () => (await import("../actions/push.ts")).deletePush,
    },
  ],
});
