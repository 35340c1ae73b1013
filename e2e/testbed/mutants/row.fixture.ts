import type { JsonObject, ListTasksResponse, Message, Task } from "@assay/protocol";
import type { Stream, Subject } from "../../fixtures/subject.fixture.ts";
import { bindings, say, sending } from "../../fixtures/testbed.fixture.ts";

/** One mutant, and a request to which it responds differently from its base. */
export interface Row {
  readonly id: string;
  /** sends one or more requests and returns the visible result */
  readonly see: (agent: Subject) => Promise<unknown>;
  /** the result at the base, and at the mutant */
  readonly right: unknown;
  readonly wrong: unknown;
  /** where both must be equal (default: an ordinary conversation) */
  readonly alike?: (agent: Subject) => Promise<unknown>;
}

export const row = (
  id: string,
  see: Row["see"],
  [right, wrong]: readonly [unknown, unknown],
  alike?: Row["alike"],
): Row => ({
  id,
  see,
  right,
  wrong,
  ...(alike ? { alike } : {}),
});

/** The text of a direct message on both bindings. */
export const chat = (agent: Subject) =>
  Promise.all(
    bindings.map(async (binding) => {
      const { message } = await agent.ask<{ message: Message }>("SendMessage", sending("message-only hi"), { binding });
      return message.parts;
    }),
  );

/** Ordinary use of both bindings: a message, and a task with its result. */
export const usual = async (agent: Subject) => {
  const tasks = bindings.map(async (binding) => {
    const { task } = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle hi"), { binding });
    return [task.status.state, task.artifacts?.map(({ parts }) => parts)];
  });
  return [await chat(agent), await Promise.all(tasks)];
};

/** Sends a text in the form of an older version; the message has the names of all of them. */
const postOlder = (agent: Subject, method: string, text: string) => {
  const parts = [{ kind: "text", type: "text", text }];
  const message = { kind: "message", messageId: "m", role: "user", parts };
  return agent.post({ jsonrpc: "2.0", id: 1, method, params: { id: crypto.randomUUID(), message } }, {});
};

export const olderCall = async (agent: Subject, method: string, text: string) =>
  JSON.parse((await postOlder(agent, method, text)).text).result as JsonObject;

/** Returns the `final` of the last event. */
export const olderStream = async (agent: Subject, method: string) => {
  const { text } = await postOlder(agent, method, "task-lifecycle hi");
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return (JSON.parse(lines.at(-1)!.slice(6)) as { result: JsonObject }).result["final"];
};

/** The kinds of the events of a stream, in their order. */
export const kinds = ({ events }: Stream): string[] =>
  events.map(({ task, statusUpdate, artifactUpdate }) => {
    if (task) return "task";
    return statusUpdate ? statusUpdate.status.state.replace("TASK_STATE_", "") : (artifactUpdate?.artifact.name ?? "");
  });

export const stream = (agent: Subject, text: string, more: Parameters<Subject["events"]>[2] = {}) =>
  agent.events("SendStreamingMessage", sending(text), more);

export const error = (code: number, reason: string) => ({ code, reason });
export const taskNotFound = error(-32001, "TASK_NOT_FOUND");
/** Makes tasks in a new context, and lists them. */
export const listed = async (agent: Subject, more: object = {}, count = 2) => {
  const contextId = crypto.randomUUID();
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await agent.task("task-lifecycle hi", { message: say("task-lifecycle hi", { contextId }) })).id);
  return { ids, contextId, page: await agent.ask<ListTasksResponse>("ListTasks", { contextId, ...more }) };
};

export const bob = { Authorization: "Bearer bob-token" };
export const anonymous = { Authorization: "" };
