import type { JsonObject, Message } from "@assay/protocol";
import { isPassing, matches } from "../answers/expect-error.ts";
import { asList, asObject, asText, brief } from "../answers/loose-json.ts";
import {
  describeReply,
  errorOf,
  eventsOf,
  isAtRest,
  type LooseEvent,
  type LooseTask,
  looseTask,
  messageIn,
  resultOf,
  taskIn,
} from "../answers/reading.ts";
import { isUnknown } from "../answers/served.ts";
import { skippedFor } from "../answers/trouble.ts";
import { isClosed } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, heldUp, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { noTask } from "./no-task.ts";
import { ifMade } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { triedSubscription } from "./several-subscribers.ts";
import { isLast } from "./task-stream.ts";
import { stillThere, untilListed, untilSeen } from "./until-seen.ts";

/** A plain ListTasks. */
export const firstListTasks = observation<Call>("a list of tasks", {
  make: (target) => target.call("ListTasks", {}),
});

/** A plain ListTasks of an agent that lists tasks at all. LIST-001 decides if it must. */
export const taskList = observation<Call>("a list", {
  uses: [firstListTasks],
  async make(target) {
    const call = await target.observe(firstListTasks);
    const page = asObject(resultOf(call));
    if (page) {
      const { tasks = [] } = page;
      if (tasks === null || Array.isArray(tasks)) return call;
      throw heldUp("LIST-002", "tasks is not an array", call, {
        saw: brief(tasks),
        want: "tasks: an array of Task objects",
      });
    }
    if (isUnknownOperation(call)) throw doesNotApply("the agent does not list tasks");
    if (isPassing(call)) throw skippedFor(call, `the agent rejected the request: ${describeReply(call)}`);
    throw heldUp("LIST-001", "ListTasks does not return a list", call, {
      saw: describeReply(call),
      want: "a result with tasks",
    });
  },
});

/** The agent does not know the operation. */
export function isUnknownOperation(call: Call): boolean {
  if (matches(call, "MethodNotFound") || matches(call, "UnsupportedOperation")) return true;
  if (isUnknown({ operation: "ListTasks", call })) return true;
  if (errorOf(call)?.reason !== undefined) return false;
  const status = call.exchange.http.response?.status;
  return call.on.binding !== "GRPC" && call.reply.is !== "result" && [404, 405, 501].includes(status ?? 0);
}

/** One page of a list, as far as it can be read. */
export interface Page {
  readonly call: Call;
  readonly json: JsonObject;
  readonly tasks: readonly LooseTask[];
  /** the token of the next page; "" and absent both mean none */
  readonly token: string;
}

export const pageIn = (call: Call): Page | undefined => {
  const json = asObject(resultOf(call));
  if (!json) return undefined;
  const tasks = asList(json["tasks"]).flatMap((task) => looseTask(task) ?? []);
  return { call, json, tasks, token: asText(json["nextPageToken"]) ?? "" };
};

/** A list, read page by page. */
interface Walk {
  readonly pages: readonly Page[];
  /** Assay stopped before the last page, so missing tasks may be on a later one */
  readonly cutOff: boolean;
  /** the response that is not a page and so ended the walk */
  readonly refused?: Call;
}

/** A walk that should have come across certain tasks. */
export interface WholeWalk extends Walk {
  readonly omitted: readonly LooseTask[];
}

/** Maximum number of pages. Pages without a task are legal and counted separately. */
const limits = { filled: 8, empty: 24 };

/** Follows the tokens from page to page. */
async function walk(target: Target, params: JsonObject): Promise<Walk> {
  const pages: Page[] = [];
  const isWithin = (): boolean => {
    const filled = pages.filter(({ tasks }) => tasks.length > 0).length;
    return filled < limits.filled && pages.length - filled < limits.empty;
  };
  for (let token = ""; isWithin(); ) {
    const call = await target.call("ListTasks", token ? { ...params, pageToken: token } : params);
    const page = pageIn(call);
    if (!page) return { pages, cutOff: false, refused: call };
    pages.push(page);
    if (!page.token) return { pages, cutOff: false };
    token = page.token;
  }
  return { pages, cutOff: true };
}

/** A request for a list, and its page if the response is one. */
interface Answer {
  readonly page: Page | undefined;
  readonly call: Call;
}

/** The first page of a list with any task, and the tasks that the list omits. */
interface Listing extends Answer {
  readonly omitted: readonly LooseTask[];
}

/** Returns the first page with a task, or the last page. */
export async function firstFilledPage(target: Target, params: JsonObject): Promise<Answer> {
  for (let asked = params, left = limits.empty; ; left--) {
    const call = await target.call("ListTasks", asked);
    const page = pageIn(call);
    if (!page || page.tasks.length > 0 || !page.token || left === 0) return { page, call };
    asked = { ...params, pageToken: page.token };
  }
}

/** A task that waits for input. */
export interface TaskAskingBack {
  readonly task: LooseTask;
  /** the stream that led there, if the agent streams */
  readonly stream:
    | { readonly call: Call; readonly events: readonly LooseEvent[]; readonly closed: boolean }
    | undefined;
  /** SubscribeToTask while it waits */
  readonly subscription: Call | undefined;
}

/** Undefined if no prompt makes the agent ask for input, or if it did not this time. */
const perhapsAsked = observation<TaskAskingBack | undefined>("a question of the agent", {
  messages: 1,
  rank: 6,
  lasts: true,
  // Lists can be judged without this task.
  make: async (target) => (target.hasPrompt("inputRequired") ? ifMade(askBack(target)) : undefined),
});

/** A context with known tasks, created one after the other, each at rest before the next, and its list. */
export interface ListPages {
  readonly contextId: string;
  /** as GetTask shows them, oldest first */
  readonly tasks: readonly LooseTask[];
  /** the oldest of them, if a prompt makes the agent ask for input */
  readonly asked: TaskAskingBack | undefined;
  /** those in the state of the waiting task */
  readonly waiting: Listing | undefined;
  /** a page of one, then a newer task, and the page of its token */
  readonly interrupted: { readonly before: Page; readonly after: Page | undefined };
  readonly byTwo: WholeWalk;
  readonly byOne: WholeWalk;
}

export const listPages = observation<ListPages>("a context with several tasks, and its list", {
  messages: 3,
  prompts: ["task"],
  rank: 6,
  uses: [taskList, perhapsAsked],
  async make(target) {
    const asked = await target.observe(perhapsAsked);
    const first = await made(target, asked?.task.contextId);
    const { contextId } = first;
    if (!contextId) throw doesNotApply("the agent's tasks belong to no context");
    // If timestamps have whole seconds, the next task waits a second, so that the order is defined.
    const pauseMs = [first, ...(asked ? [asked.task] : [])].every(isOfWholeSeconds) ? 1_100 : 0;
    await target.sleep(pauseMs);
    const older = [...(asked ? [asked.task] : []), first, await made(target, contextId)];
    const state = asked?.task.state;
    const waiting =
      asked && state !== undefined ? await listWith(target, { contextId, status: state }, [asked.task]) : undefined;
    const { page: before, call: opening } = await firstFilledPage(target, { contextId, pageSize: 1 });
    await target.sleep(pauseMs);
    const newest = await made(target, contextId);
    if (!before) return refuseContext(target, contextId, opening);
    const next = before.token ? { contextId, pageSize: 1, pageToken: before.token } : undefined;
    const after = next && (await firstFilledPage(target, next)).page;
    const tasks = [...older, newest];
    const walkAll = async (pageSize: number): Promise<WholeWalk> => {
      const { list, omitted } = await untilListed(
        target,
        () => walk(target, { contextId, pageSize }),
        ({ pages, cutOff }) => (cutOff ? [] : lackedBy(pages, tasks)),
      );
      return { ...list, omitted };
    };
    return {
      contextId,
      tasks,
      asked,
      waiting,
      interrupted: { before, after },
      byTwo: await walkAll(2),
      byOne: await walkAll(1),
    };
  },
});

const isOfWholeSeconds = ({ json }: LooseTask): boolean =>
  Date.parse(asText(asObject(json["status"])?.["timestamp"]) ?? "") % 1_000 === 0;

const lackedBy = (pages: readonly Page[], tasks: readonly LooseTask[]): readonly LooseTask[] =>
  tasks.filter(({ id }) => !pages.some((page) => page.tasks.some((task) => task.id === id)));

/** Requests a list that must contain these tasks: its first page with any task. */
export async function listWith(target: Target, params: JsonObject, tasks: readonly LooseTask[]): Promise<Listing> {
  const { list, omitted } = await untilListed(
    target,
    () => firstFilledPage(target, params),
    (answer) => lackedByFirst(answer, tasks),
  );
  return { ...list, omitted };
}

/** The missing tasks may be on the next page. A rejected page stays rejected. */
const lackedByFirst = ({ page }: Answer, tasks: readonly LooseTask[]): readonly LooseTask[] =>
  page && page.token === "" ? lackedBy([page], tasks) : [];

/** Pauses between two looks at a list, in milliseconds. */
const looksAgainAfter = [100, 200, 400, 800];

/**
 * Requests a list that must contain a task which a wider list has shown. A lagging replica would lack the task in both.
 * If only the narrow list lacks it, time and again, the filter is the cause.
 */
export async function listWithin(
  target: Target,
  params: JsonObject,
  task: LooseTask,
  wider: JsonObject,
): Promise<Listing> {
  const isShown = (page: Page | undefined): boolean => !page || lackedBy([page], [task]).length === 0;
  for (const [look, pause] of looksAgainAfter.entries()) {
    // The order changes, so that replicas which answer in turns each get both requests.
    const widerFirst = look % 2 === 1 ? await firstFilledPage(target, wider) : undefined;
    const seen = await firstFilledPage(target, params);
    if (lackedByFirst(seen, [task]).length === 0) return { ...seen, omitted: [] };
    if (!isShown((widerFirst ?? (await firstFilledPage(target, wider))).page)) return listWith(target, params, [task]);
    await target.sleep(pause);
  }
  const seen = await firstFilledPage(target, params);
  return { ...seen, omitted: await stillThere(target, lackedByFirst(seen, [task])) };
}

/** Lists work, but not with a context and a page size: finds out which of the two is rejected. */
async function refuseContext(target: Target, contextId: string, refused: Call): Promise<never> {
  const call = await target.call("ListTasks", { contextId });
  const passing = [refused, call].find(isPassing);
  if (passing) throw skippedFor(passing, `the agent rejected the request: ${describeReply(passing)}`);
  if (!pageIn(call))
    throw heldUp("LIST-015", "ListTasks with contextId does not return a list", call, {
      saw: describeReply(call),
    });
  const sized = await target.call("ListTasks", { pageSize: 1 });
  const [filter, at] = pageIn(sized)
    ? (["contextId and pageSize 1", refused] as const)
    : (["pageSize 1", sized] as const);
  throw heldUp("LIST-008", `ListTasks with ${filter} does not return a list`, at, {
    saw: describeReply(at),
    want: "at most one task, and a nextPageToken where there are more",
  });
}

/** Creates one more task at rest in a context. */
async function made(target: Target, contextId: string | undefined): Promise<LooseTask> {
  const call = await target.send("task", contextId === undefined ? {} : { message: { contextId } });
  const task = taskIn(call);
  if (!task)
    throw messageIn(call) ? noTask() : skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
  const { last = task } = await follow(target, task);
  if (!isAtRest(last.state)) throw skipped("unstable", "a task did not end in time", "--task-timeout <seconds>");
  if (contextId !== undefined && last.contextId !== contextId)
    throw skipped("not-triggered", "the agent creates a new context instead of using the one in the message");
  return last;
}

/** Undefined if the agent did not ask for input this time. The list is then judged without that task. */
async function askBack(target: Target): Promise<TaskAskingBack | undefined> {
  const { id, stream } = target.facts.streaming ? await askedInStream(target) : await askedPlainly(target);
  if (id === undefined) return undefined;
  const { last: task } = await follow(target, { id });
  if (task?.state !== "TASK_STATE_INPUT_REQUIRED" || !task.contextId) return undefined;
  const subscription = target.facts.streaming ? await triedSubscription(target, id) : undefined;
  return { task, stream, subscription };
}

async function askedInStream(target: Target): Promise<{ id: string | undefined; stream: TaskAskingBack["stream"] }> {
  const live = await target.stream("inputRequired");
  const rest = await live.until(isLast, target.taskTimeout);
  const call = await live.rest(rest ? target.quiet : 0);
  const events = eventsOf(call);
  return { id: events.find(({ taskId }) => taskId)?.taskId, stream: { call, events, closed: isClosed(call) } };
}

async function askedPlainly(target: Target): Promise<{ id: string | undefined; stream: undefined }> {
  return { id: taskIn(await target.send("inputRequired"))?.id, stream: undefined };
}

/** The task that asks for input. */
export const taskAskingBack = observation<TaskAskingBack>("a task that waits for an answer", {
  prompts: ["inputRequired"],
  uses: [perhapsAsked],
  async make(target) {
    const asked = await target.observe(perhapsAsked);
    if (!asked) throw skipped("prompt", "the agent did not ask for input", "prompts.inputRequired in assay.yaml");
    return asked;
  },
});

/** The waiting task, answered by a message that names its context and the task. */
export interface AnsweredInFull {
  readonly asked: LooseTask;
  /** as a stream, if the agent streams and accepts it */
  readonly answer: Call;
  /** the rejection of the stream, before the same message without one */
  readonly refused: Call | undefined;
}

export const answeredInFull = observation<AnsweredInFull>("an answer that names task and context", {
  // The second, from the reserve, is for agents that reject the first.
  messages: 1,
  prompts: ["followUp"],
  rank: 8,
  // Newer tasks are listed before it while it waits. An agent without lists can still be answered.
  uses: [taskAskingBack, listPages],
  despite: [listPages],
  async make(target) {
    const { task: asked } = await target.observe(taskAskingBack);
    const message = { taskId: asked.id, contextId: asked.contextId! };
    const streamed = target.facts.streaming ? await answerInStream(target, message) : undefined;
    // If the task changed state, the answer was accepted, and there is no second one.
    const isMoved = async () =>
      taskIn(await target.call("GetTask", { id: asked.id }, { mayBeGone: true }))?.state !== asked.state;
    if (streamed && (!errorOf(streamed) || eventsOf(streamed).length > 0 || (await isMoved())))
      return { asked, answer: streamed, refused: undefined };
    return { asked, answer: await target.send("followUp", { message }), refused: streamed };
  },
});

async function answerInStream(target: Target, message: Partial<Message>): Promise<Call> {
  const live = await target.stream("followUp", { message });
  await live.until(isLast, target.taskTimeout);
  return live.rest(0);
}

/** The waiting task after it continued and newer tasks exist, and the list of its context after that. */
export interface OlderTaskMovesOn {
  readonly asked: LooseTask;
  readonly answered: LooseTask;
  readonly page: Page;
}

export const olderTaskMovesOn = observation<OlderTaskMovesOn>("an old task that continues, and the list", {
  // Newer tasks are listed before it.
  uses: [answeredInFull, listPages],
  async make(target) {
    const { asked } = await target.observe(answeredInFull);
    const { last: answered } = await follow(target, asked);
    const { page } = await untilSeen(
      target,
      "list",
      () => firstFilledPage(target, { contextId: asked.contextId! }),
      ({ page: shown }) => shown?.tasks[0]?.id === asked.id || !shown?.tasks.some(({ id }) => id === asked.id),
    );
    if (!answered || !page) throw skipped("unstable", "the task or its list is missing after the answer");
    return { asked, answered, page };
  },
});
