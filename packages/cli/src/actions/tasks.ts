import { defined, type ListTasksResponse, type Task, type TaskState } from "@assay/protocol";
import type { TalkFlags } from "../commands/talk-flags.ts";
import type { GetFlags, ListFlags } from "../commands/tasks.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import { ask, follow } from "../talking/exchange.ts";
import { talkTo } from "../talking/talk.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { stateWord, type Timeline } from "../terminal/timeline.ts";

/** Runs `assay get`: shows the current state of a task. */
export const getTask = (url: string, id: string, flags: GetFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) => {
    talk.announce("GetTask", escapeText(id));
    const { historyLength } = flags;
    return ask(talk, "GetTask", { id, ...(historyLength !== undefined && { historyLength }) }, showTask);
  });

/** Runs `assay cancel`: asks the agent to stop, and shows the resulting task. */
export const cancelTask = (url: string, id: string, flags: TalkFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) => {
    talk.announce("CancelTask", escapeText(id));
    return ask(talk, "CancelTask", { id }, showTask);
  });

/** Runs `assay subscribe`: shows the events of a running task from now on. */
export const subscribe = (url: string, id: string, flags: TalkFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) => {
    talk.announce("SubscribeToTask", escapeText(id));
    return follow(talk, "SubscribeToTask", { id });
  });

const showTask = (task: Task, timeline: Timeline, at: number): void => timeline.event(at, { task });

/** Converts "input-required" to TASK_STATE_INPUT_REQUIRED. */
const stateCalled = (word: string): TaskState => `TASK_STATE_${word.toUpperCase().replaceAll("-", "_")}` as TaskState;

/** The maximum number of pages to read with --all, because a faulty agent may never end its list. */
const mostPages = 100;

/** Runs `assay list`: shows one page of the caller's tasks, or every page with --all. */
export const listTasks = (url: string, flags: ListFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, async (talk) => {
    const { context, status, pageSize, historyLength, artifacts, all } = flags;
    const request = {
      ...(context !== undefined && { contextId: context }),
      ...(status !== undefined && { status: stateCalled(status) }),
      ...defined({ pageSize, historyLength }),
      ...(artifacts && { includeArtifacts: true }),
    };
    talk.announce("ListTasks", "");
    let pageToken = flags.pageToken ?? "";
    for (let page = 1; page <= mostPages; page++) {
      let next = "";
      const code = await ask(
        talk,
        "ListTasks",
        { ...request, ...(pageToken && { pageToken }) },
        (answer) => show(answer, screen, all === true),
        ({ nextPageToken }) => {
          next = nextPageToken;
        },
      );
      if (code !== exitCodes.fine || !all || !next) return code;
      pageToken = next;
    }
    screen.complain(`Stopped after ${mostPages} pages. Continue with --page-token ${escapeText(pageToken)}.`);
    return exitCodes.fine;
  });

function show({ tasks, totalSize, nextPageToken }: ListTasksResponse, { line, colors }: Screen, all: boolean): void {
  for (const { id, contextId, status } of tasks)
    line(
      `${(status.timestamp ?? "").padEnd(24)}  ${stateWord(status.state).padEnd(14)} ${escapeText(id)}  ${colors.dim(escapeText(contextId ?? ""))}`,
    );
  if (all && nextPageToken) return;
  const more = nextPageToken ? `; next page: --page-token ${escapeText(nextPageToken)}` : "";
  line(`${plural(tasks.length, "task")} on this page, ${totalSize} in all${more}`);
}
