import type { JsonObject } from "@assay/protocol";
import { sleepAwake } from "@assay/wire";
import { asObject, asObjects, asText } from "../../answers/loose-json.ts";
import { isSend } from "../../answers/operations-of.ts";
import { isEnded, looseTask, resultOf, tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/** The interface through which something was started, and can be ended. */
export interface CleanUpTarget {
  call(operation: "CancelTask" | "DeleteTaskPushNotificationConfig" | "ListTasks", params: JsonObject): Promise<Call>;
}

interface RunningTask {
  readonly target: CleanUpTarget;
  readonly taskId: string;
}

interface PushConfig extends RunningTask {
  readonly id: string;
}

/** A message without a response: the agent may still work on it. */
interface UnansweredMessage {
  readonly target: CleanUpTarget;
  readonly messageId: string;
}

/** Pauses before each attempt to find such a task, because the agent may read the message only after the first list. */
const pausesMs = [0, 100, 200, 400];

/** Tracks what the run started and must end: running tasks and push configurations. */
export class CleanUp {
  readonly #tasks = new Map<string, RunningTask>();
  readonly #configs = new Map<string, PushConfig>();
  readonly #unanswered: UnansweredMessage[] = [];
  readonly #open = new Set<Promise<Call>>();

  /** Waits for open calls, because they show what they started only when they end. */
  awaitEnd(call: Promise<Call>): void {
    this.#open.add(call);
    const over = (): void => void this.#open.delete(call);
    call.then(over, over);
  }

  /** Reads from a call what it started or ended. */
  note(call: Call, target: CleanUpTarget): void {
    const { operation, params, reply } = call;
    if (operation === undefined) return;
    if (isSend(operation) && (reply.is === "failure" || (reply.is === "stream" && reply.events.length === 0))) {
      const messageId = asText(asObject(params?.["message"])?.["messageId"]);
      if (messageId !== undefined) this.#unanswered.push({ target, messageId });
    }
    if (operation === "CreateTaskPushNotificationConfig" && reply.is === "result") {
      const json = asObject(reply.json);
      const id = asText(json?.["id"]);
      const taskId = asText(json?.["taskId"]) ?? asText(params?.["taskId"]);
      if (id !== undefined && taskId !== undefined) this.#configs.set(`${taskId} ${id}`, { target, taskId, id });
    }
    if (operation === "DeleteTaskPushNotificationConfig" && reply.is === "result") {
      this.#configs.delete(`${asText(params?.["taskId"])} ${asText(params?.["id"])}`);
    }
    for (const { id, state } of tasksIn(call)) {
      if (isEnded(state)) this.#tasks.delete(id);
      else if (isSend(operation) || this.#tasks.has(id)) this.#tasks.set(id, { target, taskId: id });
    }
  }

  /** Deletes the push configurations and cancels the tasks. Returns what could not be ended in time. */
  async run(withinMs: number): Promise<string[]> {
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), withinMs);
    });
    const outcome = await Promise.race([this.#endAll(over.signal), late]);
    clearTimeout(timer);
    over.abort();
    return outcome === "late"
      ? ["Assay could not clean up everything that it started: the agent did not answer in time."]
      : [];
  }

  async #endAll(signal: AbortSignal): Promise<void> {
    await Promise.allSettled(this.#open);
    await Promise.allSettled([
      ...[...this.#configs.values()].map(({ target, taskId, id }) =>
        target.call("DeleteTaskPushNotificationConfig", { taskId, id }),
      ),
      ...[...this.#tasks.values()].map(({ target, taskId }) => target.call("CancelTask", { id: taskId })),
      ...this.#unanswered.map((message) => cancelUnanswered(message, signal)),
    ]);
  }
}

/** Finds the task that an unanswered message started, and cancels it. */
async function cancelUnanswered({ target, messageId }: UnansweredMessage, signal: AbortSignal): Promise<void> {
  for (const ms of pausesMs) {
    await sleepAwake(ms, signal);
    const listed = asObject(resultOf(await target.call("ListTasks", { pageSize: 50 })));
    if (!listed) return;
    const task = asObjects(listed["tasks"])
      .flatMap((json) => looseTask(json) ?? [])
      .find(({ history }) => history.some((message) => message["messageId"] === messageId));
    if (!task) continue;
    if (!isEnded(task.state)) await target.call("CancelTask", { id: task.id });
    return;
  }
}
