import { randomUUID } from "node:crypto";
import type { Task, TaskState } from "@assay/protocol";
import { type LoadClient, says } from "./load-client.ts";
import { ToldChunks } from "./told-chunks.ts";

/** A sequence of client requests. Throws `WrongAnswer` for an unexpected response. */
type Conversation = (client: LoadClient, webhook: string) => Promise<void>;

export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

function expectState(task: Task | undefined, state: TaskState): Task {
  if (task?.status.state !== state) throw new WrongAnswer(`a task is ${task?.status.state} that should be ${state}`);
  return task;
}

function expectSame(what: string, found: readonly string[], wanted: readonly string[]): void {
  if (found.length !== wanted.length || found.toSorted().some((each, index) => each !== wanted.toSorted()[index]))
    throw new WrongAnswer(`${what}: ${found.join(", ") || "none"} instead of ${wanted.join(", ") || "none"}`);
}

const atOnce = { returnImmediately: true };

/** The conversations of a steady load, all equally frequent. Together they use all operations of A2A. */
export const conversations: Readonly<Record<string, Conversation>> = {
  async "a message and its answer"(client) {
    const text = `message-only ${randomUUID()}`;
    const { message } = await client.ask("SendMessage", says(text));
    if (!message?.parts[0]?.text?.includes(text)) throw new WrongAnswer("a message was answered with other words");
  },

  async "a task that is read again"(client) {
    const { task } = await client.ask("SendMessage", says("task-lifecycle hello"));
    const { id } = expectState(task, "TASK_STATE_COMPLETED");
    const again = expectState(await client.ask("GetTask", { id }), "TASK_STATE_COMPLETED");
    if (again.id !== id || again.artifacts?.length !== 1) throw new WrongAnswer("a task was read as another one");
  },

  /** Lists the tasks of one context page by page; each task must appear once. */
  async "tasks that are listed"(client) {
    const contextId = randomUUID();
    const made: string[] = [];
    for (let number = 0; number < 5; number++) {
      const { task } = await client.ask("SendMessage", says("task-lifecycle hello", { contextId }));
      made.push(task!.id);
    }
    const listed: string[] = [];
    let pageToken = "";
    do {
      const page = await client.ask("ListTasks", { contextId, pageSize: 2, ...(pageToken && { pageToken }) });
      listed.push(...(page.tasks ?? []).map(({ id }) => id));
      pageToken = page.nextPageToken ?? "";
    } while (pageToken);
    expectSame("the tasks of a context", listed, made);
  },

  async "a walk through all tasks"(client) {
    const seen: string[] = [];
    let pageToken = "";
    for (let pages = 0; pages < 3; pages++) {
      const page = await client.ask("ListTasks", { pageSize: 20, ...(pageToken && { pageToken }) });
      seen.push(...(page.tasks ?? []).map(({ id }) => id));
      pageToken = page.nextPageToken ?? "";
      if (!pageToken) break;
    }
    if (new Set(seen).size !== seen.length) throw new WrongAnswer("a task was listed twice");
  },

  async "a task that is canceled"(client) {
    // A long task, so that the cancel always finds it still working.
    const { task } = await client.ask("SendMessage", { ...says("slow 600"), configuration: atOnce });
    expectState(await client.ask("CancelTask", { id: task!.id }), "TASK_STATE_CANCELED");
  },

  async "a task that is continued"(client) {
    const { task } = await client.ask("SendMessage", says("multi-turn begin"));
    const { id: taskId } = expectState(task, "TASK_STATE_INPUT_REQUIRED");
    const more = await client.ask("SendMessage", says("more", { taskId }));
    expectState(more.task, "TASK_STATE_INPUT_REQUIRED");
    const done = await client.ask("SendMessage", says("done", { taskId }));
    const { history = [] } = expectState(done.task, "TASK_STATE_COMPLETED");
    const words = history.filter(({ role }) => role === "ROLE_USER").map(({ parts }) => parts[0]?.text ?? "");
    expectSame("the words of a task", words, ["multi-turn begin", "more", "done"]);
  },

  async "webhooks that come and go"(client, webhook) {
    const { task } = await client.ask("SendMessage", says("multi-turn begin"));
    const taskId = task!.id;
    const ids = ["one", "two"];
    for (const id of ids) await client.ask("CreateTaskPushNotificationConfig", { taskId, id, url: webhook });
    const config = await client.ask("GetTaskPushNotificationConfig", { taskId, id: "one" });
    if (config.url !== webhook) throw new WrongAnswer("a webhook was read as another one");
    const listed = async (): Promise<string[]> => {
      const { configs = [] } = await client.ask("ListTaskPushNotificationConfigs", { taskId });
      return configs.map(({ id }) => id ?? "");
    };
    expectSame("the webhooks of a task", await listed(), ids);
    await client.ask("DeleteTaskPushNotificationConfig", { taskId, id: "one" });
    expectSame("the webhooks of a task", await listed(), ["two"]);
    await client.ask("CancelTask", { id: taskId });
  },

  /** A stream with chunks as fast as the server can send them. */
  async "a stream without pauses"(client) {
    const told = new ToldChunks(100);
    for await (const event of client.follow("SendStreamingMessage", says("chunks 100 64"))) told.take(event);
    told.end();
    told.compare(await client.ask("GetTask", { id: told.taskId! }));
    const [breach] = told.breaches;
    if (breach) throw new WrongAnswer(breach.what);
  },

  async "the extended card"(client) {
    const card = await client.ask("GetExtendedAgentCard", {});
    if (!card.skills?.length) throw new WrongAnswer("a card without skills");
  },
};
