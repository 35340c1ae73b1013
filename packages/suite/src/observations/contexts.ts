import { asText } from "../answers/loose-json.ts";
import { eventsOf, isAnswered, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { sendParams } from "./sending.ts";
import { taskAtRest } from "./sent-message.ts";
import { isLast } from "./task-stream.ts";

/** A message in a context id that the client chose. */
export interface OwnContext {
  readonly contextId: string;
  readonly call: Call;
  /** GetTask, if there is a task */
  readonly got: Call | undefined;
}

export const ownContext = observation<OwnContext>("a message in a context that Assay names", {
  messages: 1,
  prompts: ["task"],
  rank: 4,
  async make(target) {
    const contextId = target.unknownId();
    // The end of the task does not matter here, so it may be rejected (see bad-endings.ts).
    const rejected = target.hasPrompt("rejected")
      ? await target.send("rejected", { message: { contextId } })
      : undefined;
    const call = rejected && isAnswered(rejected) ? rejected : await target.send("task", { message: { contextId } });
    const task = taskIn(call);
    return { contextId, call, got: task && (await target.call("GetTask", { id: task.id }, { mayBeGone: true })) };
  },
});

/** Two more messages in the context of a task, sent at the same time. */
interface TasksInOneContext {
  readonly first: LooseTask;
  readonly contextId: string;
  /** with the context alone; a message that makes a task fail, if a prompt for that is known */
  readonly plain: Call;
  /** with the context and a reference to the first task */
  readonly referring: Call;
  /** GetTask of the first task after both */
  readonly after: Call;
}

export const tasksInOneContext = observation<TasksInOneContext>("several tasks in one context", {
  messages: 2,
  prompts: ["task"],
  rank: 5,
  uses: [taskAtRest],
  async make(target) {
    const { last: first } = await target.observe(taskAtRest);
    const { contextId } = first;
    if (!contextId) throw skipped("not-triggered", "the agent's tasks have no context");
    const [plain, referring] = await Promise.all([
      target.hasPrompt("failure") ? fail(target, contextId) : target.send("task", { message: { contextId } }),
      target.send("task", { message: { contextId, referenceTaskIds: [first.id] } }),
    ]);
    return {
      first,
      contextId,
      plain,
      referring,
      after: await target.call("GetTask", { id: first.id }, { mayBeGone: true }),
    };
  },
});

/** Sends the failing message of `plain`. An error instead of a task is not a fault. */
const fail = (target: Target, contextId: string): Promise<Call> =>
  target.call("SendMessage", sendParams(target, { contextId }, "failure"), { fair: false });

/** One of two simultaneous messages, each in its own context id that the client chose. */
export interface BegunAtOnce {
  /** the context of the message */
  readonly contextId: string;
  readonly call: Call;
  /** the task that the agent created for it */
  readonly taskId: string | undefined;
  /** the contexts in its response and in GetTask */
  readonly shownContexts: readonly string[];
  /** GetTask, if there is a task */
  readonly got: Call | undefined;
}

/** Uses streams if the agent streams, because they stay open together while their tasks run. */
export const twoTasksAtOnce = observation<readonly BegunAtOnce[]>("two tasks at once", {
  messages: 2,
  prompts: ["task", "stream"],
  rank: 6,
  // Mixed-up tasks come from behind the bindings, so one interface is enough.
  once: true,
  make: (target) => Promise.all([begin(target), begin(target)]),
});

async function begin(target: Target): Promise<BegunAtOnce> {
  const contextId = target.unknownId();
  const more = { message: { contextId } };
  const call = target.facts.streaming ? await streamed(target, more) : await target.send("task", more);
  const events = eventsOf(call);
  const taskId = taskIn(call)?.id ?? events.find((event) => event.taskId !== undefined)?.taskId;
  const got = taskId === undefined ? undefined : await target.call("GetTask", { id: taskId }, { mayBeGone: true });
  const shown = [
    taskIn(call)?.contextId,
    asText(messageIn(call)?.["contextId"]),
    // Other rules examine the contexts in updates.
    ...events.filter(({ is }) => is === "task" || is === "message").map((event) => event.contextId),
    got && taskIn(got)?.contextId,
  ];
  return { contextId, call, taskId, got, shownContexts: shown.flatMap((each) => (each ? [each] : [])) };
}

async function streamed(target: Target, more: { readonly message: { readonly contextId: string } }): Promise<Call> {
  const live = await target.stream("stream", more);
  await live.until(isLast, target.taskTimeout);
  return live.rest(target.quiet);
}
