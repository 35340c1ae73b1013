import { atLeastOne, count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument, talkFlags, taskArgument } from "./talk-flags.ts";

/** As people write them; the timeline says the same words. */
const states = [
  ...["submitted", "working", "completed", "failed"],
  ...["canceled", "input-required", "rejected", "auth-required"],
] as const;

const historyLength = ["--history-length <n>", "ask for at most this many messages of history", count] as const;

const help =
  "\nExit codes: 0 answered · 1 the agent answered with an error or with something that is no A2A · 2 no agent answered";

const getFlags = [historyLength, ...talkFlags] as const;
export type GetFlags = FlagsOf<typeof getFlags>;

const listFlags = [
  ["--context <id>", "only tasks of this context"],
  ["--status <state>", "only tasks in this state", states],
  ["--page-size <n>", "so many tasks on a page", atLeastOne],
  ["--page-token <token>", "the page that an earlier one named"],
  historyLength,
  ["--artifacts", "ask for the artifacts too (--json shows them)"],
  ["--all", "every page, one after the other"],
  ...talkFlags,
] as const;
export type ListFlags = FlagsOf<typeof listFlags>;

const args = [agentArgument, taskArgument];

export const addGet = declare({
  name: "get",
  does: "Show a task of an agent as it is now.",
  args,
  flags: getFlags,
  help,
  action: async () => (await import("../actions/tasks.ts")).getTask,
});

export const addCancel = declare({
  name: "cancel",
  does: "Ask an agent to stop working on a task, and show what became of it.",
  args,
  flags: talkFlags,
  help,
  action: async () => (await import("../actions/tasks.ts")).cancelTask,
});

export const addSubscribe = declare({
  name: "subscribe",
  does: "Watch a task that is at work: its events as they come, as a timeline.",
  args,
  flags: talkFlags,
  help,
  action: async () => (await import("../actions/tasks.ts")).subscribe,
});

export const addList = declare({
  name: "list",
  does: "List the tasks that an agent has of you (1.0).",
  args: [agentArgument],
  flags: listFlags,
  help,
  action: async () => (await import("../actions/tasks.ts")).listTasks,
});
