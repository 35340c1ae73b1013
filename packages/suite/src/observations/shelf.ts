import type { JsonObject, Message } from "@assay/protocol";
import { isPassing, matches } from "../expect-error.ts";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { concernsNobody, heldUp, Obstacle, skipped } from "../obstacle.ts";
import {
  asList,
  asObject,
  asText,
  brief,
  describeReply,
  errorOf,
  eventsOf,
  isAtRest,
  type LooseEvent,
  type LooseTask,
  looseEvent,
  looseTask,
  resultOf,
  taskIn,
} from "../reading.ts";
import type { Talk } from "../talk.ts";
import { follow } from "./settled.ts";
import { triedSubscription } from "./subscribing.ts";

/** ListTasks, asked the plainest way. */
export const firstListing = observation<Talk>({
  name: "a list of tasks",
  messages: 0,
  make: (lab) => lab.call("ListTasks", {}),
});

/** The same of an agent that lists tasks at all: whether it must, LIST-001 says. */
export const listed = observation<Talk>({
  name: "a list",
  messages: 0,
  uses: [firstListing],
  async make(lab) {
    const talk = await lab.observe(firstListing);
    const page = asObject(resultOf(talk));
    if (page) {
      const { tasks = [] } = page;
      if (tasks === null || Array.isArray(tasks)) return talk;
      throw heldUp("LIST-002", "tasks is no array", talk, {
        saw: brief(tasks),
        want: "tasks: an array of Task objects",
      });
    }
    if (isUnknownOperation(talk)) throw concernsNobody("the agent does not list tasks");
    if (isPassing(talk)) throw skipped("unstable", `the agent turned us away: ${describeReply(talk)}`);
    throw heldUp("LIST-001", "ListTasks is not answered with a list", talk, {
      saw: describeReply(talk),
      want: "a result with tasks",
    });
  },
});

/** Nobody knows this operation there. */
export function isUnknownOperation(talk: Talk): boolean {
  if (matches(talk, "MethodNotFound") || matches(talk, "UnsupportedOperation")) return true;
  if (errorOf(talk)?.reason !== undefined) return false;
  const status = talk.exchange.http.response?.status;
  return talk.on.binding !== "GRPC" && talk.reply.is !== "result" && [404, 405, 501].includes(status ?? 0);
}

/** One page of a list, as far as it can be made out. */
export interface Page {
  readonly talk: Talk;
  readonly json: JsonObject;
  readonly tasks: readonly LooseTask[];
  /** of the next page; "" and absent both mean that there is none */
  readonly token: string;
}

export const pageIn = (talk: Talk): Page | undefined => {
  const json = asObject(resultOf(talk));
  if (!json) return undefined;
  const tasks = asList(json["tasks"]).flatMap((task) => looseTask(task) ?? []);
  return { talk, json, tasks, token: asText(json["nextPageToken"]) ?? "" };
};

/** Follows the tokens from page to page; more than the shelf could fill are not asked for. */
async function walk(lab: Lab, params: JsonObject): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let token = ""; pages.length < 8; ) {
    const page = pageIn(await lab.call("ListTasks", token ? { ...params, pageToken: token } : params));
    if (!page) break;
    pages.push(page);
    if (!page.token) break;
    token = page.token;
  }
  return pages;
}

/** A task that waits for the user's answer. */
export interface AskedBack {
  readonly task: LooseTask;
  /** the stream that led there, where the agent streams */
  readonly stream:
    | { readonly talk: Talk; readonly events: readonly LooseEvent[]; readonly closed: boolean }
    | undefined;
  /** SubscribeToTask while it waits */
  readonly subscription: Talk | undefined;
}

/** Undefined where we do not know how to make the agent ask back, or where it did not, this time. */
const perhapsAsked = observation<AskedBack | undefined>({
  name: "a question of the agent",
  messages: 1,
  rank: 6,
  async make(lab) {
    if (!lab.hasPrompt("inputRequired")) return undefined;
    try {
      return await askBack(lab);
    } catch (error) {
      // Lists can be judged without it.
      if (error instanceof Obstacle) return undefined;
      throw error;
    }
  },
});

/** A context of known content: tasks made one after the other, each at rest before the next, and its list. */
export interface Shelf {
  readonly contextId: string;
  /** as GetTask shows them, the oldest first */
  readonly tasks: readonly LooseTask[];
  /** the oldest of them, where we know how to make the agent ask back */
  readonly asked: AskedBack | undefined;
  /** those in the state of the one that asks, while it does */
  readonly waiting: Talk | undefined;
  /** a page of one, the newest task made behind it, and the page that its token leads to */
  readonly interrupted: { readonly before: Page; readonly after: Page | undefined };
  readonly byTwo: readonly Page[];
  readonly byOne: readonly Page[];
}

export const shelf = observation<Shelf>({
  name: "a context with several tasks, and its list",
  messages: 3,
  prompts: ["task"],
  rank: 6,
  uses: [listed, perhapsAsked],
  async make(lab) {
    const asked = await lab.observe(perhapsAsked);
    const first = await made(lab, asked?.task.contextId);
    const { contextId } = first;
    if (!contextId) throw concernsNobody("the agent's tasks belong to no context");
    const older = [...(asked ? [asked.task] : []), first, await made(lab, contextId)];
    const state = asked?.task.state;
    const waiting = state === undefined ? undefined : await lab.call("ListTasks", { contextId, status: state });
    const before = pageIn(await lab.call("ListTasks", { contextId, pageSize: 1 }));
    const newest = await made(lab, contextId);
    if (!before) return refuseContext(lab, contextId);
    const next = before.token ? { contextId, pageSize: 1, pageToken: before.token } : undefined;
    const after = next && pageIn(await lab.call("ListTasks", next));
    return {
      contextId,
      tasks: [...older, newest],
      asked,
      waiting,
      interrupted: { before, after },
      byTwo: await walk(lab, { contextId, pageSize: 2 }),
      byOne: await walk(lab, { contextId, pageSize: 1 }),
    };
  },
});

/** Listing works, and not with a context and a page size: that is the filter's fault. */
async function refuseContext(lab: Lab, contextId: string): Promise<never> {
  const talk = await lab.call("ListTasks", { contextId });
  if (!pageIn(talk))
    throw heldUp("LIST-015", "ListTasks with contextId is not answered with a list", talk, {
      saw: describeReply(talk),
    });
  const sized = await lab.call("ListTasks", { pageSize: 1 });
  throw heldUp("LIST-008", "ListTasks with pageSize 1 is not answered with a list", sized, {
    saw: describeReply(sized),
  });
}

/** One more task at rest in a context. */
async function made(lab: Lab, contextId: string | undefined): Promise<LooseTask> {
  const talk = await lab.send("task", contextId === undefined ? {} : { message: { contextId } });
  const task = taskIn(talk);
  if (!task) throw concernsNobody(`the agent made no task: ${describeReply(talk)}`);
  const { last = task } = await follow(lab, task);
  if (!isAtRest(last.state)) throw skipped("unstable", "a task did not end in time", "--timeout <seconds>");
  if (contextId !== undefined && last.contextId !== contextId)
    throw skipped("no-occasion", "the agent makes a new context where one was named");
  return last;
}

/** Undefined where the agent did not ask, this time: then the shelf does without. */
async function askBack(lab: Lab): Promise<AskedBack | undefined> {
  const { id, stream } = lab.facts.streaming ? await askedInStream(lab) : await askedPlainly(lab);
  if (id === undefined) return undefined;
  const { last: task } = await follow(lab, { id });
  if (task?.state !== "TASK_STATE_INPUT_REQUIRED" || !task.contextId) return undefined;
  const subscription = lab.facts.streaming ? await triedSubscription(lab, id) : undefined;
  return { task, stream, subscription };
}

async function askedInStream(lab: Lab): Promise<{ id: string | undefined; stream: AskedBack["stream"] }> {
  const live = await lab.stream("inputRequired");
  const rest = await live.until((frame) => {
    const event = looseEvent(frame);
    return event === undefined || event.is === "message" || isAtRest(event.state);
  }, lab.taskTimeout);
  const talk = await live.rest(rest ? lab.quiet : 0);
  const events = eventsOf(talk);
  return { id: events.find(({ taskId }) => taskId)?.taskId, stream: { talk, events, closed: live.ended } };
}

async function askedPlainly(lab: Lab): Promise<{ id: string | undefined; stream: undefined }> {
  return { id: taskIn(await lab.send("inputRequired"))?.id, stream: undefined };
}

/** The task that asks back. */
export const askedBack = observation<AskedBack>({
  name: "a task that waits for an answer",
  messages: 0,
  prompts: ["inputRequired"],
  uses: [perhapsAsked],
  async make(lab) {
    const asked = await lab.observe(perhapsAsked);
    if (!asked) throw skipped("prompt", "the agent did not ask back", "prompts.inputRequired in assay.yaml");
    return asked;
  },
});

/** The same task answered by somebody who names its context as well as the task. */
export interface AnsweredInFull {
  readonly asked: LooseTask;
  /** by a stream, where the agent has streams and took it */
  readonly answer: Talk;
  /** how the stream was refused, before the same was sent without one */
  readonly refused: Talk | undefined;
}

export const answeredInFull = observation<AnsweredInFull>({
  name: "an answer that names task and context",
  // The second is for those who refuse the first: one that was kept back for trouble.
  messages: 1,
  prompts: ["followUp"],
  rank: 8,
  // The shelf puts younger tasks in front of it while it waits.
  uses: [askedBack, shelf],
  async make(lab) {
    const { task: asked } = await lab.observe(askedBack);
    try {
      await lab.observe(shelf);
    } catch (error) {
      // Who has no lists can be answered all the same.
      if (!(error instanceof Obstacle)) throw error;
    }
    const message = { taskId: asked.id, contextId: asked.contextId! };
    const streamed = lab.facts.streaming ? await answerInStream(lab, message) : undefined;
    // Whatever has moved the task was its answer, and there is no second one.
    const isMoved = async () => taskIn(await lab.call("GetTask", { id: asked.id }))?.state !== asked.state;
    if (streamed && (!errorOf(streamed) || eventsOf(streamed).length > 0 || (await isMoved())))
      return { asked, answer: streamed, refused: undefined };
    return { asked, answer: await lab.send("followUp", { message }), refused: streamed };
  },
});

async function answerInStream(lab: Lab, message: Partial<Message>): Promise<Talk> {
  const live = await lab.stream("followUp", { message });
  await live.until((frame) => {
    const event = looseEvent(frame);
    return event === undefined || event.is === "message" || isAtRest(event.state);
  }, lab.taskTimeout);
  return live.rest(0);
}

/** The same task behind younger ones, and the list of its context after that. */
export interface Overtaken {
  readonly asked: LooseTask;
  readonly answered: LooseTask;
  readonly page: Page;
}

export const overtaken = observation<Overtaken>({
  name: "an old task that goes on, and the list",
  messages: 0,
  // The shelf puts younger tasks in front of it.
  uses: [answeredInFull, shelf],
  async make(lab) {
    const { asked } = await lab.observe(answeredInFull);
    const { last: answered } = await follow(lab, asked);
    const page = pageIn(await lab.call("ListTasks", { contextId: asked.contextId! }));
    if (!answered || !page) throw skipped("unstable", "the task or its list is gone after the answer");
    return { asked, answered, page };
  },
});
