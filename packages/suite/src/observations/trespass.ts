import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { asObject, asObjects, asText, describeReply, isEnded, type LooseTask, resultOf, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { putToWork } from "./at-work.ts";
import { isTurnedAway } from "./login.ts";
import { create, somewhere } from "./push-configs.ts";
import { ask } from "./unknown-task.ts";

/** Somebody else tries everything on a task of the user that is at work, knowing its ids. */
export interface Trespass {
  readonly task: LooseTask;
  /** what they list: before the task was made, after it, and by its context */
  readonly before: Talk;
  readonly after: Talk;
  readonly byContext: Talk | undefined;
  /** their list with a page token that was given to the user; absent where there was no second page */
  readonly byToken: { readonly talk: Talk; readonly theirs: readonly string[] } | undefined;
  readonly get: Talk;
  readonly cancel: Talk;
  readonly subscribe: Talk | undefined;
  /** a message into the task */
  readonly message: Talk;
  /** the same as a stream, where the agent has streams */
  readonly streamed: Talk | undefined;
  /** all push operations, on a configuration of the user */
  readonly push: readonly { readonly what: string; readonly talk: Talk }[];
  /** the task behind all that, as its owner sees it */
  readonly still: LooseTask | undefined;
  /** a message into the context, without naming the task; and what the owner lists in that context then */
  readonly joined: { readonly talk: Talk; readonly listed: Talk } | undefined;
}

export const tasksIn = (talk: Talk): readonly JsonObject[] => asObjects(asObject(resultOf(talk))?.["tasks"]);

export const taskIdsIn = (talk: Talk): readonly string[] => tasksIn(talk).flatMap(({ id }) => asText(id) ?? []);

export const trespass = observation<Trespass>({
  name: "a task at work, and somebody else",
  messages: 2,
  prompts: ["slow", "task"],
  rank: 4,
  async make(lab) {
    const they = lab.as("second");
    if (!they) throw skipped("credentials", "a second principal is needed", "principals.second in assay.yaml");
    const before = await they.call("ListTasks", {});
    if (isTurnedAway(before)) {
      throw skipped(
        "credentials",
        `the second principal is turned away: ${describeReply(before)}`,
        "principals.second",
      );
    }
    const { task } = await putToWork(lab);
    const { id, contextId } = task;
    const { pushNotifications, streaming } = lab.facts;
    const after = await they.call("ListTasks", {});
    const byContext = contextId === undefined ? undefined : await they.call("ListTasks", { contextId });
    const get = await they.call("GetTask", { id });
    const subscribe = streaming ? await ask(they, "SubscribeToTask", { id }) : undefined;
    const push = pushNotifications ? await intoPush() : [];
    // A conforming agent refuses it, so it asks no work.
    const message = await they.call(
      "SendMessage",
      { message: lab.message("task", { taskId: id }) as unknown as JsonObject },
      { refusable: true },
    );
    const streamed = streaming
      ? await ask(they, "SendStreamingMessage", {
          message: lab.message("task", { taskId: id }) as unknown as JsonObject,
        })
      : undefined;
    const cancel = await they.call("CancelTask", { id });
    const still = taskIn(await lab.call("GetTask", { id }));
    const byToken = await withToken();
    if (still && !isEnded(still.state)) await lab.call("CancelTask", { id });
    return {
      task,
      before,
      after,
      byContext,
      byToken,
      get,
      cancel,
      subscribe,
      message,
      streamed,
      push,
      still,
      joined: await join(),
    };

    async function intoPush(): Promise<Trespass["push"]> {
      const { id: config = randomUUID() } = await create(lab, id);
      const named = { taskId: id, id: config };
      return [
        { what: "GetTaskPushNotificationConfig", talk: await they!.call("GetTaskPushNotificationConfig", named) },
        {
          what: "ListTaskPushNotificationConfigs",
          talk: await they!.call("ListTaskPushNotificationConfigs", { taskId: id }),
        },
        {
          what: "CreateTaskPushNotificationConfig",
          talk: await they!.call("CreateTaskPushNotificationConfig", { taskId: id, url: somewhere(lab).url }),
        },
        { what: "DeleteTaskPushNotificationConfig", talk: await they!.call("DeleteTaskPushNotificationConfig", named) },
      ];
    }

    async function withToken(): Promise<Trespass["byToken"]> {
      const page = await lab.call("ListTasks", { pageSize: 1 });
      const pageToken = asText(asObject(resultOf(page))?.["nextPageToken"]);
      if (!pageToken) return undefined;
      const theirs = [...taskIdsIn(page), ...taskIdsIn(await lab.call("ListTasks", { pageSize: 1, pageToken }))];
      return { talk: await they!.call("ListTasks", { pageSize: 1, pageToken }), theirs };
    }

    async function join(): Promise<Trespass["joined"]> {
      if (contextId === undefined) return undefined;
      const talk = await they!.send("task", { message: { contextId } });
      return { talk, listed: await lab.call("ListTasks", { contextId }) };
    }
  },
});
