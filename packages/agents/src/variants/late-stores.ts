import {
  A2AError,
  type ListTasksResponse,
  type RequestOf,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol";
import { type Divergence, full } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeAnswer, type Events, type InterceptedOperation, intercept, together } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";
import { configOperations, purging } from "./memory.ts";

/** Agents with eventually consistent stores. The specification does not promise that a write can be read at once. */

/** The state of a task at one time. */
interface Sighting {
  readonly task: Task;
  readonly at: number;
}

/**
 * Serves every operation, except the send that creates a task, from a replica that gets changes after `lagMs`. With
 * `alternates`, a replica that is up to date serves every other request. The late one serves the first, so the first
 * read after a write is stale.
 */
export function lateTasks({ lagMs, alternates = false }: { lagMs: number; alternates?: boolean }): Layers {
  const changes = new RecentMap<Sighting[]>();
  const readers = new RecentMap<number>();
  const lags = (reader: string): boolean => {
    const turn = readers.get(reader) ?? 0;
    readers.set(reader, turn + 1);
    return !alternates || turn % 2 === 0;
  };
  const note = (task: Task): void => {
    changes.set(task.id, [...(changes.get(task.id) ?? []), { task, at: Date.now() }]);
    readers.delete(task.id);
  };
  /** Returns the newest version of a task that the late replica has, if any. */
  const known = (task: Task): Task | undefined => {
    const seen = changes.get(task.id);
    const horizon = Date.now() - lagMs;
    // Changes that no request caused show only in the time of the status.
    const changedAt = Math.max(seen?.at(-1)?.at ?? 0, Date.parse(task.status.timestamp ?? "") || 0);
    if (!seen || changedAt <= horizon) return task;
    return seen.findLast(({ at }) => at <= horizon)?.task;
  };
  const assertKnown = (id: string | undefined): void => {
    const first = id && changes.get(id)?.[0];
    if (first && first.at > Date.now() - lagMs && lags(id))
      throw new A2AError("TaskNotFound", `Task ${id} not found yet`);
  };
  const noted = async function* (events: Events): AsyncGenerator<StreamResponse, void, undefined> {
    for await (const event of events) {
      if (event.task) note(event.task);
      yield event;
    }
  };
  return {
    operations: together(
      intercept(["SendMessage"], async ({ request, proceed }) => {
        assertKnown(request.message.taskId);
        const outcome = await proceed();
        const { task } = outcome.answer as SendMessageResponse;
        if (task) note(task);
        return outcome;
      }),
      intercept(["SendStreamingMessage"], async ({ request, proceed }) => {
        assertKnown(request.message.taskId);
        return { events: noted((await proceed()).events!) };
      }),
      intercept(["SubscribeToTask"], ({ request, proceed }) => {
        assertKnown(request.id);
        return proceed();
      }),
      intercept(["CancelTask"], async ({ request, proceed }) => {
        assertKnown(request.id);
        const outcome = await proceed();
        note(outcome.answer as Task);
        return outcome;
      }),
      intercept(configOperations, ({ request, proceed }) => {
        assertKnown(request.taskId);
        return proceed();
      }),
      intercept(["GetTask"], async ({ request, proceed }) => {
        const outcome = await proceed();
        if (!lags(request.id)) return outcome;
        const task = known(outcome.answer as Task);
        if (!task) throw new A2AError("TaskNotFound", `Task ${request.id} not found yet`);
        return { answer: task };
      }),
      intercept(["ListTasks"], async ({ proceed }) => {
        const outcome = await proceed();
        if (!lags("list")) return outcome;
        const list = outcome.answer as ListTasksResponse;
        const tasks = list.tasks.filter((task) => known(task));
        return { answer: { ...list, tasks, totalSize: list.totalSize - list.tasks.length + tasks.length } };
      }),
    ),
  };
}

/** Makes push configurations appear `lagMs` after their creation, and disappear `lagMs` after their deletion. */
function lateConfigs(lagMs: number): Layers {
  const made = new RecentMap<number>();
  const keyOf = ({ taskId, id }: Pick<TaskPushNotificationConfig, "taskId" | "id">): string => `${taskId} ${id}`;
  const isLate = (config: Pick<TaskPushNotificationConfig, "taskId" | "id">): boolean =>
    (made.get(keyOf(config)) ?? 0) > Date.now() - lagMs;
  const assertKnown = (request: RequestOf<"GetTaskPushNotificationConfig">): void => {
    if (isLate(request)) throw new A2AError("TaskNotFound", `Configuration ${request.id} not found yet`);
  };
  return {
    operations: together(
      intercept(["CreateTaskPushNotificationConfig"], async ({ proceed }) => {
        const outcome = await proceed();
        made.set(keyOf(outcome.answer as TaskPushNotificationConfig), Date.now());
        return outcome;
      }),
      intercept(["GetTaskPushNotificationConfig"], ({ request, proceed }) => {
        assertKnown(request);
        return proceed();
      }),
      changeAnswer(["ListTaskPushNotificationConfigs"], (list) => ({
        ...list,
        configs: (list.configs ?? []).filter((config) => !isLate(config)),
      })),
      intercept(["DeleteTaskPushNotificationConfig"], deleteLater),
    ),
  };

  async function deleteLater(asked: InterceptedOperation<"DeleteTaskPushNotificationConfig">) {
    assertKnown(asked.request);
    if (!made.has(keyOf(asked.request))) return asked.proceed();
    // The task may be deleted by then.
    setTimeout(() => asked.proceed().catch(() => {}), lagMs);
    return { answer: {} };
  }
}

export const lateStoreVariants: readonly Divergence[] = [
  full("late-tasks-60", "Creating or changing a task takes effect 60 ms later.", () => lateTasks({ lagMs: 60 })),
  full("late-tasks-300", "Creating or changing a task takes effect 300 ms later.", () => lateTasks({ lagMs: 300 })),
  full("late-configs", "Push configurations appear and disappear 400 ms late.", () => lateConfigs(400)),
  full("late-and-purging", "Tasks appear 300 ms late and disappear 1 s after they end.", () => ({
    operations: together(purging(1_000), lateTasks({ lagMs: 300 }).operations!),
  })),
];
