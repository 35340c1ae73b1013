import { helpOf, type TestValues, testOptions } from "@assay/suite/options";
import { parserOf, seconds } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";
import { addTalkFlags, type TalkFlags } from "./talk-flags.ts";

const { webhookListen } = testOptions;

export interface PushCreateFlags extends TalkFlags {
  readonly to?: string;
  readonly id?: string;
  readonly token?: string;
  readonly listen?: TestValues["webhookListen"];
  readonly webhookUrl?: string;
  readonly for?: number;
}

const agent = "the agent, its card, or its host";

export const addPush: AddCommand = (program, screen, done) => {
  const push = program
    .command("push")
    .description("Push notifications of a task: set a webhook, see what arrives, read and delete configurations.")
    .addHelpText(
      "after",
      `
Examples:
  $ assay push create http://127.0.0.1:4040/full <task>                  a webhook here; shows what arrives
  $ assay push create https://agents.example.com <task> --to https://hooks.example.com/a2a
  $ assay push list http://127.0.0.1:4040/full <task>`,
    );
  addTalkFlags(
    push
      .command("create")
      .description(
        "Set a webhook for a task; without --to it is one of ours, and what arrives is shown until the task ends.",
      )
      .argument("<url>", agent)
      .argument("<task>", "the id of the task")
      .option("--to <url>", "notify this address, and do not wait")
      .option("--id <id>", "call the configuration so")
      .option("--token <text>", "the token that notifications carry")
      .option("--listen <host:port>", helpOf(webhookListen), parserOf(webhookListen.is))
      .option(
        "--webhook-url <url>",
        "the address at which the agent reaches our webhook, when it is not on this machine",
      )
      .option("--for <seconds>", "wait for notifications at most this long (300 unless given)", seconds),
  ).action(async (url: string, task: string, flags: PushCreateFlags) => {
    const { createPush } = await import("../actions/push.ts");
    done(await createPush(url, task, flags, screen));
  });
  addTalkFlags(
    push
      .command("get")
      .description("Show one push configuration of a task.")
      .argument("<url>", agent)
      .argument("<task>", "the id of the task")
      .argument("<id>", "the id of the configuration"),
  ).action(async (url: string, task: string, id: string, flags: TalkFlags) => {
    const { getPush } = await import("../actions/push.ts");
    done(await getPush(url, task, id, flags, screen));
  });
  addTalkFlags(
    push
      .command("list")
      .description("List the push configurations of a task.")
      .argument("<url>", agent)
      .argument("<task>", "the id of the task"),
  ).action(async (url: string, task: string, flags: TalkFlags) => {
    const { listPush } = await import("../actions/push.ts");
    done(await listPush(url, task, flags, screen));
  });
  addTalkFlags(
    push
      .command("delete")
      .description("Delete a push configuration of a task.")
      .argument("<url>", agent)
      .argument("<task>", "the id of the task")
      .argument("<id>", "the id of the configuration"),
  ).action(async (url: string, task: string, id: string, flags: TalkFlags) => {
    const { deletePush } = await import("../actions/push.ts");
    done(await deletePush(url, task, id, flags, screen));
  });
};
