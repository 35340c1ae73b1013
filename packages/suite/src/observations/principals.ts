import { randomUUID } from "node:crypto";
import type { JsonObject, Operation } from "@assay/protocol";
import { asObject, asObjects, asText } from "../answers/loose-json.ts";
import { hasOperation } from "../answers/operations-of.ts";
import { describeReply, isEnded, isForbidden, type LooseTask, resultOf, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { isTurnedAway } from "./login.ts";
import { create, somewhere } from "./push-configs.ts";
import { sendParams } from "./sending.ts";
import { taskAtRest } from "./sent-message.ts";
import { startSlowTask } from "./start-task.ts";
import { ask, isClaimed, paramsFor } from "./unknown-task.ts";

/** The facts that another principal learns about a task of the user, and about a task that does not exist. */
export interface ForeignTask {
  readonly task: LooseTask;
  readonly unknownId: string;
  readonly asked: readonly { readonly operation: Operation; readonly foreign: Call; readonly unknown: Call }[];
}

export const foreignTask = observation<ForeignTask>("a task of another principal", {
  uses: [taskAtRest],
  async make(target) {
    const other = target.as("second");
    if (!other) throw skipped("credentials", "needs a second principal", "principals.second in assay.yaml");
    const { last: task } = await target.observe(taskAtRest);
    const unknownId = target.unknownId();
    const claimed = (["GetTask", "CancelTask", "ListTaskPushNotificationConfigs"] as const).filter((operation) =>
      isClaimed(operation, target),
    );
    const asked = claimed.map(async (operation) => {
      const params = (id: string) => (operation.includes("Push") ? { taskId: id } : { id });
      const [foreign, unknown] = await Promise.all([task.id, unknownId].map((id) => ask(other, operation, params(id))));
      return { operation, foreign: foreign!, unknown: unknown! };
    });
    const answered = await Promise.all(asked);
    const shut = answered.find(({ operation, unknown }) => operation === "GetTask" && isForbidden(unknown));
    // A principal that is rejected everywhere learns nothing about any task.
    if (shut)
      throw skipped(
        "credentials",
        `the agent rejects the second principal: ${describeReply(shut.unknown)}`,
        "principals.second",
      );
    return { task, unknownId, asked: answered };
  },
});

/** Another principal tries everything on a working task of the user, with its ids. */
export interface OtherPrincipalsCalls {
  readonly task: LooseTask;
  /** their lists: before the task was created, after it, and by its context */
  readonly before: Call;
  readonly after: Call;
  readonly byContext: Call | undefined;
  /** their list with a page token of the user; absent without a second page */
  readonly byToken: { readonly call: Call; readonly theirs: readonly string[] } | undefined;
  readonly get: Call;
  readonly cancel: Call;
  readonly subscribe: Call | undefined;
  /** a message to the task */
  readonly message: Call;
  /** the same as a stream, if the agent streams */
  readonly streamed: Call | undefined;
  /** all push operations, on a configuration of the user */
  readonly push: readonly { readonly what: string; readonly call: Call }[];
  /** the task after all that, as its owner sees it */
  readonly still: LooseTask | undefined;
  /** a message in the context without the task, and the owner's list of that context */
  readonly joined: { readonly call: Call; readonly listed: Call } | undefined;
}

export const tasksIn = (call: Call): readonly JsonObject[] => asObjects(asObject(resultOf(call))?.["tasks"]);

export const taskIdsIn = (call: Call): readonly string[] => tasksIn(call).flatMap(({ id }) => asText(id) ?? []);

export const otherPrincipalsCalls = observation<OtherPrincipalsCalls>("a working task, and another principal", {
  messages: 2,
  prompts: ["slow", "task"],
  rank: 4,
  async make(target) {
    const they = target.as("second");
    if (!they) throw skipped("credentials", "needs a second principal", "principals.second in assay.yaml");
    const before = await they.call("ListTasks", {});
    if (isTurnedAway(before)) {
      throw skipped(
        "credentials",
        `the agent rejects the second principal: ${describeReply(before)}`,
        "principals.second",
      );
    }
    const { task } = await startSlowTask(target);
    const { id, contextId } = task;
    const { pushNotifications, streaming } = target.facts;
    const after = await they.call("ListTasks", {});
    const byContext = contextId === undefined ? undefined : await they.call("ListTasks", { contextId });
    const get = await they.call("GetTask", { id });
    const subscribe = streaming ? await ask(they, "SubscribeToTask", { id }) : undefined;
    const push = pushNotifications ? await intoPush() : [];
    // A conforming agent rejects it, so it costs no work.
    const message = await they.call("SendMessage", sendParams(target, { taskId: id }), { refusable: true });
    const streamed = streaming
      ? await ask(they, "SendStreamingMessage", sendParams(target, { taskId: id }))
      : undefined;
    const cancel = await they.call("CancelTask", { id });
    const still = taskIn(await target.call("GetTask", { id }, { mayBeGone: true }));
    const byToken = await withToken();
    if (still && !isEnded(still.state)) await target.call("CancelTask", { id });
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

    async function intoPush(): Promise<OtherPrincipalsCalls["push"]> {
      const { id: config = randomUUID() } = await create(target, id);
      const named = { taskId: id, id: config };
      const tried = [
        ["GetTaskPushNotificationConfig", named],
        ["ListTaskPushNotificationConfigs", { taskId: id }],
        ["CreateTaskPushNotificationConfig", { taskId: id, url: somewhere(target).url }],
        ["DeleteTaskPushNotificationConfig", named],
      ] as const;
      const calls: { readonly what: string; readonly call: Call }[] = [];
      for (const [what, params] of tried) calls.push({ what, call: await they!.call(what, params) });
      return calls;
    }

    async function withToken(): Promise<OtherPrincipalsCalls["byToken"]> {
      const page = await target.call("ListTasks", { pageSize: 1 });
      const pageToken = asText(asObject(resultOf(page))?.["nextPageToken"]);
      if (!pageToken) return undefined;
      const theirs = [...taskIdsIn(page), ...taskIdsIn(await target.call("ListTasks", { pageSize: 1, pageToken }))];
      return { call: await they!.call("ListTasks", { pageSize: 1, pageToken }), theirs };
    }

    async function join(): Promise<OtherPrincipalsCalls["joined"]> {
      if (contextId === undefined) return undefined;
      const call = await they!.send("task", { message: { contextId } });
      return { call, listed: await target.call("ListTasks", { contextId }) };
    }
  },
});

/** The same harmless call by the user and by a principal with fewer rights. */
export interface TwoCallers {
  readonly operation: Operation;
  readonly ours: Call;
  readonly theirs: Call;
}

const harmless = [
  "ListTasks",
  "GetTask",
  "CancelTask",
  "CreateTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
] as const;

export const restrictedCaller = observation<readonly TwoCallers[]>("calls by a principal with fewer rights", {
  async make(target) {
    const restricted = target.as("restricted");
    if (!restricted)
      throw skipped("credentials", "needs a principal with fewer rights", "principals.restricted in assay.yaml");
    return Promise.all(
      harmless
        .filter((operation) => hasOperation(target.on, operation) && isClaimed(operation, target))
        .map(async (operation) => {
          const params = paramsFor(target, operation);
          return {
            operation,
            ours: await ask(target, operation, params),
            theirs: await ask(restricted, operation, params),
          };
        }),
    );
  },
});
