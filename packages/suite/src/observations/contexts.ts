import { asText } from "../answers/loose-json.ts";
import { eventsOf, isAnswered, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { sendParams } from "./sending.ts";
import { taskAtRest } from "./sent-message.ts";
import { isLast } from "./task-stream.ts";

/** A message in a context that the client made up. */
export interface OwnContext {
  readonly contextId: string;
  readonly call: Call;
  /** GetTask, where there is a task */
  readonly got: Call | undefined;
}

export const ownContext = observation<OwnContext>({
  name: "a message in a context that Assay names",
  messages: 1,
  prompts: ["task"],
  rank: 4,
  async make(target) {
    const contextId = target.unknownId();
    // How the task ends does not matter here, so that it may as well be rejected (see bad-endings.ts).
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
  /** with the context alone; one that fails, where we know how */
  readonly plain: Call;
  /** with the context and a reference to the first task */
  readonly referring: Call;
  /** GetTask of the first one after both */
  readonly after: Call;
}

export const tasksInOneContext = observation<TasksInOneContext>({
  name: "several tasks in one context",
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

/** As above, one that fails. Where that is an error and no task, it was asked for: once, and it is no fault. */
const fail = (target: Target, contextId: string): Promise<Call> =>
  target.call("SendMessage", sendParams(target, { contextId }, "failure"), { fair: false });

/** One of two messages that were sent at the same moment, each in a context of its own that the client made up. */
export interface BegunAtOnce {
  /** the context that it was sent in */
  readonly contextId: string;
  readonly call: Call;
  /** the task that was made for it */
  readonly taskId: string | undefined;
  /** the contexts that its answer names, and GetTask */
  readonly shownContexts: readonly string[];
  /** GetTask, where there is a task */
  readonly got: Call | undefined;
}

/** Streams where the agent streams, for these are open beside each other for as long as their tasks take. */
export const twoTasksAtOnce = observation<readonly BegunAtOnce[]>({
  name: "two tasks at once",
  messages: 2,
  prompts: ["task", "stream"],
  rank: 6,
  // Who is mixed up is known behind the bindings.
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
    // What updates name besides is for the rules of streams.
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
