import { Option } from "commander";
import { atLeastOne, count } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";
import { addTalkFlags, type TalkFlags } from "./talk-flags.ts";

/** As people write them; the timeline says the same words. */
const states = [
  "submitted",
  "working",
  "completed",
  "failed",
  "canceled",
  "input-required",
  "rejected",
  "auth-required",
] as const;

export interface GetFlags extends TalkFlags {
  readonly historyLength?: number;
}

export type CancelFlags = TalkFlags;
export type SubscribeFlags = TalkFlags;

export interface ListFlags extends TalkFlags {
  readonly context?: string;
  readonly status?: (typeof states)[number];
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  readonly artifacts?: boolean;
  readonly all?: boolean;
}

const agent = "the agent, its card, or its host";
const exits =
  "\nExit codes: 0 answered · 1 the agent answered with an error or with something that is no A2A · 2 no agent answered";

export const addGet: AddCommand = (program, screen, done) => {
  const command = program
    .command("get")
    .description("Show a task of an agent as it is now.")
    .argument("<url>", agent)
    .argument("<task>", "the id of the task")
    .option("--history-length <n>", "ask for at most this many messages of history", count);
  addTalkFlags(command)
    .addHelpText("after", exits)
    .action(async (url: string, id: string, flags: GetFlags) => {
      const { getTask } = await import("../actions/tasks.ts");
      done(await getTask(url, id, flags, screen));
    });
};

export const addCancel: AddCommand = (program, screen, done) => {
  const command = program
    .command("cancel")
    .description("Ask an agent to stop working on a task, and show what became of it.")
    .argument("<url>", agent)
    .argument("<task>", "the id of the task");
  addTalkFlags(command)
    .addHelpText("after", exits)
    .action(async (url: string, id: string, flags: CancelFlags) => {
      const { cancelTask } = await import("../actions/tasks.ts");
      done(await cancelTask(url, id, flags, screen));
    });
};

export const addSubscribe: AddCommand = (program, screen, done) => {
  const command = program
    .command("subscribe")
    .description("Watch a task that is at work: its events as they come, as a timeline.")
    .argument("<url>", agent)
    .argument("<task>", "the id of the task");
  addTalkFlags(command)
    .addHelpText("after", exits)
    .action(async (url: string, id: string, flags: SubscribeFlags) => {
      const { subscribe } = await import("../actions/tasks.ts");
      done(await subscribe(url, id, flags, screen));
    });
};

export const addList: AddCommand = (program, screen, done) => {
  const command = program
    .command("list")
    .description("List the tasks that an agent has of you (1.0).")
    .argument("<url>", agent)
    .option("--context <id>", "only tasks of this context")
    .addOption(new Option("--status <state>", "only tasks in this state").choices(states))
    .option("--page-size <n>", "so many tasks on a page", atLeastOne)
    .option("--page-token <token>", "the page that an earlier one named")
    .option("--history-length <n>", "ask for at most this many messages of history", count)
    .option("--artifacts", "ask for the artifacts too (--json shows them)")
    .option("--all", "every page, one after the other");
  addTalkFlags(command)
    .addHelpText("after", exits)
    .action(async (url: string, flags: ListFlags) => {
      const { listTasks } = await import("../actions/tasks.ts");
      done(await listTasks(url, flags, screen));
    });
};
