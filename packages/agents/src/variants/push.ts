import { setTimeout as sleep } from "node:timers/promises";
import { A2AError, isLoopback, type JsonObject, type JsonValue } from "@assay/protocol";
import { full } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { answerOf, eachObject, without } from "../mutation/json.ts";
import { changeParams, intercept, together } from "../mutation/operations.ts";

type Post = Parameters<NonNullable<Layers["push"]>>[0];

const isLocal = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname);

const hidden = (config: JsonObject): JsonObject => {
  const { authentication } = config;
  return authentication ? { ...config, authentication: without(authentication as JsonObject, "credentials") } : config;
};

/** Push notifications, where the specification leaves a choice. */
export const pushVariants = [
  // AMB-13: the specification leaves the confirmation to the implementation.
  full("delete-null", "Deleting a push configuration returns null over JSON-RPC.", {
    codec: (json, written) =>
      written.binding === "JSONRPC" ? answerOf("DeleteTaskPushNotificationConfig", () => null)(json, written) : json,
  }),

  // AMB-15, A35: JS 0.3.14 and Python 0.3.26 name a configuration after its task.
  full("config-named-after-task", "A push configuration without an id gets the id of its task.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      proceed(request.id || !request.taskId ? request : { ...request, id: request.taskId }),
    ),
  }),

  // AMB-15: an agent may keep or replace the id of a client. The effect of a second Create with one id is undefined.
  full("one-config-per-task", "Every push configuration gets the id of its task and replaces the previous one.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      proceed(request.taskId ? { ...request, id: request.taskId } : request),
    ),
  }),

  // AMB-19, §13.2: agents should reject addresses inside their own network.
  full("guarded-webhooks", "Rejects webhooks on this machine.", {
    operations: intercept(
      ["CreateTaskPushNotificationConfig", "SendMessage", "SendStreamingMessage"],
      async (asked) => {
        const { request } = asked;
        const url = "url" in request ? request.url : request.configuration?.taskPushNotificationConfig?.url;
        if (url && isLocal(url)) throw new A2AError("InvalidParams", "The webhook is on a private address");
        return asked.proceed();
      },
    ),
  }),

  // AMB-13: the specification does not clearly say that a second delete succeeds.
  full("delete-once", "Returns an error for deleting a push configuration that does not exist.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      await ask("GetTaskPushNotificationConfig", request);
      return proceed();
    }),
  }),

  // AMB-14: the specification defines no error for a configuration that does not exist.
  full("config-not-found", "Missing push configurations have a custom error reason.", {
    codec: (json, written) =>
      written.is === "error" && written.operation === "GetTaskPushNotificationConfig"
        ? eachObject(json, (object) =>
            object["reason"] === "TASK_NOT_FOUND" ? { ...object, reason: "PUSH_CONFIG_NOT_FOUND" } : object,
          )
        : json,
  }),

  // AMB-17: the agent decides which updates cause a notification.
  full("notifies-the-end", "Webhooks receive only the final event of a task.", {
    push:
      (post: Post): Post =>
      async (url, headers, body, signal) =>
        /TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)/.test(body)
          ? post(url, headers, body, signal)
          : { status: 200 },
  }),

  // AMB-18: 1.0.0 used application/json, and some agents still do.
  full("notifies-plain-json", "Notifications have Content-Type application/json.", {
    push:
      (post: Post): Post =>
      (url, headers, body, signal) =>
        post(
          url,
          headers.map(([name, value]) => [name, name === "Content-Type" ? "application/json" : value] as const),
          body,
          signal,
        ),
  }),

  // §4.3.3: duplicates may occur.
  full("notifies-twice", "Sends every notification twice.", {
    push:
      (post: Post): Post =>
      async (...given) => {
        await post(...given);
        return post(...given);
      },
  }),

  // §4.3.3 sets no time limit. A notification in transit still arrives after its configuration is deleted.
  full("notifies-late", "Notifications arrive 400 ms late, even if the configuration is deleted meanwhile.", {
    push:
      (post: Post): Post =>
      async (url, headers, body) => {
        await sleep(400);
        return post(url, headers, body, AbortSignal.timeout(5_000));
      },
  }),

  // §13.2: credentials of webhooks are secrets.
  full("hidden-credentials", "Push configurations are returned without their credentials.", {
    codec: (json, written): JsonValue =>
      written.is === "answer" && written.operation?.includes("PushNotification") ? eachObject(json, hidden) : json,
  }),

  // §3.1.8: the details of a configuration include its notification settings. Most SDKs return all of them.
  full("shown-credentials", "Push configurations are returned with their token and credentials.", {
    operations: together(
      intercept(["ListTaskPushNotificationConfigs"], async ({ request, proceed, agent, invocation }) => {
        await proceed();
        return { answer: await agent.push.list(invocation, request) };
      }),
      intercept(["GetTaskPushNotificationConfig"], async ({ request: { taskId, id }, proceed, agent, invocation }) => {
        await proceed();
        return { answer: await agent.push.get(invocation, taskId, id) };
      }),
    ),
  }),

  // §3.1.9: the list may come in pages.
  full("paged-configs", "Lists push configurations one per page.", {
    operations: changeParams(["ListTaskPushNotificationConfigs"], (request) => ({ ...request, pageSize: 1 })),
  }),

  // AMB-35: the specification does not say what happens to configurations when the task ends.
  full("forgets-configs", "Deletes the push configurations of a task when it ends.", {
    operations: intercept(
      ["GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "CreateTaskPushNotificationConfig"],
      async ({ request, proceed, ask }) => {
        const taskId = request.taskId ?? "";
        const { status } = await ask("GetTask", { id: taskId });
        if (/COMPLETED|FAILED|CANCELED|REJECTED/.test(status.state))
          throw new A2AError("TaskNotFound", "The task has ended", { facts: { taskId } });
        return proceed();
      },
    ),
  }),
];
