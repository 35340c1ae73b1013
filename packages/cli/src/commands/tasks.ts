import { atLeastOne, count } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument, talkEndings, talkFlags, taskArgument } from "./talk-flags.ts";

/** The states as people write them; the timeline uses the same words. */
const states = [
  ...["submitted", "working", "completed", "failed"],
  ...["canceled", "input-required", "rejected", "auth-required"],
] as const;

const historyLength = ["--history-length <n>", "maximum number of history messages to request", count] as const;

const getFlags = [historyLength, ...talkFlags] as const;
export type GetFlags = FlagsOf<typeof getFlags>;

const listFlags = [
  ["--context <id>", "list only tasks of this context"],
  ["--status <state>", "list only tasks in this state", states],
  ["--page-size <n>", "tasks on a page", atLeastOne],
  ["--page-token <token>", "page to show: the nextPageToken of an earlier page"],
  historyLength,
  ["--artifacts", "request the artifacts, too (--json shows them)"],
  ["--all", "show every page, one after the other"],
  ...talkFlags,
] as const;
export type ListFlags = FlagsOf<typeof listFlags>;

const args = [agentArgument, taskArgument];

export const addGet = declare("get", {
  group: "build",
  does: "Show the current state of a task.",
  args,
  flags: getFlags,
  examples: [["assay get http://127.0.0.1:4040/spec <task>"]],
  exitCodes: talkEndings,
  action: async () => (await import("../actions/tasks.ts")).getTask,
});

export const addCancel = declare("cancel", {
  group: "build",
  does: "Cancel a task and show its state.",
  args,
  flags: talkFlags,
  examples: [["assay cancel http://127.0.0.1:4040/spec <task>"]],
  exitCodes: talkEndings,
  action: async () => (await import("../actions/tasks.ts")).cancelTask,
});

export const addSubscribe = declare("subscribe", {
  group: "build",
  does: "Follow the events of a running task.",
  args,
  flags: talkFlags,
  examples: [["assay subscribe http://127.0.0.1:4040/spec <task>"]],
  exitCodes: talkEndings,
  action: async () => (await import("../actions/tasks.ts")).subscribe,
});

export const addList = declare("list", {
  group: "build",
  does: "List your tasks on an agent (protocol 1.0).",
  args: [agentArgument],
  flags: listFlags,
  examples: [
    ["assay list http://127.0.0.1:4040/spec"],
    ["assay list http://127.0.0.1:4040/spec --status working --all"],
  ],
  exitCodes: talkEndings,
  action: async () => (await import("../actions/tasks.ts")).listTasks,
});
