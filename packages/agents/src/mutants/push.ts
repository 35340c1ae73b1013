import { randomUUID } from "node:crypto";
import {
  A2AError,
  isObject,
  type ListTaskPushNotificationConfigsResponse,
  type SendMessageRequest,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, full, minimal, secure } from "../definition/divergence.ts";
import { forAnybody } from "../mutation/callers.ts";
import { replyWith } from "../mutation/http.ts";
import { answerOf, inJson } from "../mutation/json.ts";
import { changeAnswer, changeParams, instead, intercept, orElse, refuseAs } from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";
import { changeJsonBody } from "../mutation/requests.ts";

const pushOperations = [
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
] as const;

/** A configuration of another client. */
const foreignConfig: TaskPushNotificationConfig = {
  id: "of-another-client",
  taskId: "another-task",
  url: "https://example.com/webhook",
};

const notFound = (): A2AError => new A2AError("TaskNotFound", "There is no such configuration");

const withoutConfig = (request: SendMessageRequest): SendMessageRequest => {
  const { taskPushNotificationConfig: _gone, ...rest } = request.configuration ?? {};
  return { ...request, configuration: rest };
};

/** Changes the parameters of a request before the agent reads them; JSON-RPC wraps them in an envelope. */
const changeJsonParams = (change: (params: Record<string, unknown>, method: string) => void) =>
  changeJsonBody((json, request) => {
    if (request.method !== "POST") return json;
    change(isObject(json["params"]) ? json["params"] : json, String(json["method"]));
    return { ...json };
  });

export const pushMutants: readonly Divergence[] = [
  minimal("PUSH-001.takes-it", "CreateTaskPushNotificationConfig works on an agent that does not support push.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], async ({ request }) => ({
      answer: { ...request, id: request.id || randomUUID() },
    })),
  }),

  minimal(
    "PUSH-002.not-found",
    "GetTaskPushNotificationConfig returns TaskNotFoundError on an agent that does not support push.",
    {
      operations: intercept(["GetTaskPushNotificationConfig"], async () => {
        throw notFound();
      }),
    },
  ),

  minimal(
    "PUSH-003.empty-list",
    "ListTaskPushNotificationConfigs returns an empty list on an agent that does not support push.",
    {
      operations: intercept(["ListTaskPushNotificationConfigs"], async () => ({
        answer: { configs: [], nextPageToken: "" },
      })),
    },
  ),

  minimal("PUSH-004.fine", "DeleteTaskPushNotificationConfig returns success on an agent that does not support push.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async () => ({ answer: {} })),
  }),

  full("PUSH-005.nested", "CreateTaskPushNotificationConfig returns the nested form of 0.3.", {
    codec: inJson(
      answerOf("CreateTaskPushNotificationConfig", ({ taskId, ...rest }) => ({
        taskId: taskId ?? "",
        pushNotificationConfig: rest,
      })),
    ),
  }),

  full("PUSH-005.other-url", "Creating a push configuration returns another url.", {
    operations: changeAnswer(["CreateTaskPushNotificationConfig"], (config) => ({
      ...config,
      url: "https://example.com/",
    })),
  }),

  full("PUSH-006.any-task", "CreateTaskPushNotificationConfig accepts an unknown task.", {
    operations: instead(["CreateTaskPushNotificationConfig"], "TaskNotFound", (_error, { request }) => ({
      answer: { ...request, id: request.id || randomUUID() },
    })),
  }),

  full("PUSH-007.any-url", "CreateTaskPushNotificationConfig accepts any text as url.", {
    operations: instead(["CreateTaskPushNotificationConfig"], "InvalidParams", (_error, { request }) => ({
      answer: { ...request, id: request.id || randomUUID() },
    })),
  }),

  full("PUSH-008.no-scheme", "The agent accepts an authentication with credentials and without a scheme.", {
    http: changeJsonParams((params) => {
      if (isObject(params["authentication"]) && !params["authentication"]["scheme"]) delete params["authentication"];
    }),
  }),

  full("PUSH-009.all-at-once", "Deleting one push configuration of a task deletes all of them.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request: { taskId }, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId });
      for (const { id = "" } of configs) await ask("DeleteTaskPushNotificationConfig", { taskId, id });
      return proceed();
    }),
  }),

  full(
    "PUSH-010.first-one",
    "GetTaskPushNotificationConfig ignores the id and returns the first configuration of the task.",
    {
      operations: intercept(["GetTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
        const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
        return configs[0] ? { answer: configs[0] } : proceed();
      }),
    },
  ),

  full("PUSH-011.empty", "GetTaskPushNotificationConfig returns an empty configuration for an unknown id.", {
    operations: instead(["GetTaskPushNotificationConfig"], "TaskNotFound", () => ({ answer: { url: "" } })),
  }),

  full("PUSH-011.none-yet", "Returns an invented push configuration for a task that has none.", {
    operations: instead(
      ["GetTaskPushNotificationConfig"],
      "TaskNotFound",
      async (error, { request: { taskId, id }, ask }) => {
        const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId });
        if (configs.length) throw error;
        return { answer: { taskId, id, url: "https://example.com/none" } };
      },
    ),
  }),

  full("PUSH-035.in-metadata", "The metadata of a task shows its push configurations.", {
    operations: intercept(["GetTask"], async ({ request: { id }, proceed, agent, invocation }) => {
      const { answer } = await proceed();
      const { configs = [] } = await agent.push.list(invocation, { taskId: id });
      const webhooks = configs.map(({ authentication }) => authentication?.credentials ?? "");
      return { answer: { ...(answer as Task), metadata: { webhooks } } };
    }),
  }),

  secure("PUSH-012.by-id", "GetTaskPushNotificationConfig returns configurations of other callers.", {
    operations: forAnybody(pushOperations),
  }),

  full("PUSH-013.newest", "ListTaskPushNotificationConfigs returns only the newest configuration of a task.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      return { answer: { ...rest, configs: configs.slice(-1) } };
    }),
  }),

  full("PUSH-013.all-tasks", "Lists push configurations of other tasks too.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      // Keep empty lists, because an added configuration would break the rule about empty lists.
      return { answer: { ...rest, configs: configs.length ? [...configs, foreignConfig] : configs } };
    }),
  }),

  full("PUSH-014.empty-list", "ListTaskPushNotificationConfigs returns an empty list for an unknown task.", {
    operations: instead(["ListTaskPushNotificationConfigs"], "TaskNotFound", () => ({
      answer: { configs: [], nextPageToken: "" },
    })),
  }),

  full("PUSH-015.no-second-page", "ListTaskPushNotificationConfigs returns one page and no nextPageToken.", {
    operations: changeAnswer(["ListTaskPushNotificationConfigs"], (page) => ({ ...page, nextPageToken: "" })),
  }),

  full("PUSH-006.beside-no-list", "Accepts a configuration for any task, and does not know the list operation.", {
    operations: intercept(
      ["CreateTaskPushNotificationConfig", "ListTaskPushNotificationConfigs"],
      async ({ operation, request, proceed }) => {
        if (operation === "ListTaskPushNotificationConfigs") throw new A2AError("MethodNotFound", "Method not found");
        // It is the request of the other operation, as checked above.
        const config = request as TaskPushNotificationConfig;
        return orElse(proceed(), "TaskNotFound", () => ({ answer: { ...config, id: config.id || randomUUID() } }));
      },
    ),
  }),

  full("PUSH-016.kept", "DeleteTaskPushNotificationConfig returns success and keeps the configuration.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, ask }) => {
      await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      return { answer: {} };
    }),
  }),

  full("PUSH-017.still-told", "The agent notifies the webhook of a deleted configuration.", () => {
    const hidden = new RecentSet();
    const isHidden = ({ taskId = "", id = "" }: Partial<TaskPushNotificationConfig>) => hidden.has(`${taskId} ${id}`);
    const operations = intercept(pushOperations, async ({ operation, request, proceed, ask }) => {
      const named: Partial<TaskPushNotificationConfig> = request;
      if (operation === "GetTaskPushNotificationConfig" && isHidden(named)) throw notFound();
      if (operation === "DeleteTaskPushNotificationConfig") {
        await ask("ListTaskPushNotificationConfigs", { taskId: named.taskId! });
        hidden.add(`${named.taskId} ${named.id}`);
        return { answer: {} };
      }
      const outcome = await proceed();
      if (operation !== "ListTaskPushNotificationConfigs") return outcome;
      const { configs = [], ...rest } = outcome.answer as ListTaskPushNotificationConfigsResponse;
      return { answer: { ...rest, configs: configs.filter((config) => !isHidden(config)) } };
    });
    return { operations };
  }),

  full("PUSH-018.breaks-down", "Deleting a push configuration a second time returns an internal error.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      if (!configs.some(({ id }) => id === request.id)) throw new A2AError("Internal", "KeyError");
      return proceed();
    }),
  }),

  full("PUSH-019.fine", "DeleteTaskPushNotificationConfig returns success for an unknown task.", {
    operations: instead(["DeleteTaskPushNotificationConfig"], "TaskNotFound", () => ({ answer: {} })),
  }),

  full("PUSH-019.breaks-down", "DeleteTaskPushNotificationConfig returns an internal error for an unknown task.", {
    operations: refuseAs(["DeleteTaskPushNotificationConfig"], "TaskNotFound", "Internal"),
  }),

  full("PUSH-028.ignored", "SendMessage ignores its taskPushNotificationConfig.", {
    operations: changeParams(["SendMessage"], withoutConfig),
  }),

  full("PUSH-029.not-while-streaming", "SendStreamingMessage ignores its taskPushNotificationConfig.", {
    operations: changeParams(["SendStreamingMessage"], withoutConfig),
  }),

  full("PUSH-030.not-while-waiting", "A blocking SendMessage ignores its taskPushNotificationConfig.", {
    operations: changeParams(["SendMessage"], (request) =>
      request.configuration?.returnImmediately ? request : withoutConfig(request),
    ),
  }),

  full("PUSH-046.some", "GetTaskPushNotificationConfig without id returns an arbitrary configuration.", () => {
    let last = "";
    const http = (serve: Handler): Handler => {
      const filled = changeJsonParams((params, method) => {
        if (method === "GetTaskPushNotificationConfig" && params["taskId"]) params["id"] ??= last;
      })(serve);
      return (request, reply) =>
        filled(
          request,
          replyWith(reply, {
            send(status, headers, body) {
              last = configIdIn(String(body)) ?? last;
              reply.send(status, headers, body);
            },
          }),
        );
    };
    return { http };
  }),

  minimal(
    "PUSH-047.breaks-down",
    "SendMessage with a push configuration gets an internal error from an agent without push.",
    {
      operations: intercept(["SendMessage"], async ({ request, proceed }) => {
        if (request.configuration?.taskPushNotificationConfig) throw new A2AError("Internal", "NoneType");
        return proceed();
      }),
    },
  ),

  full("PUSH-048.not-found", "ListTaskPushNotificationConfigs returns an error for a task without configurations.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const outcome = await proceed();
      if ((outcome.answer as ListTaskPushNotificationConfigsResponse).configs?.length === 0) throw notFound();
      return outcome;
    }),
  }),
];

/** Returns the id of a push configuration that is the whole response. */
const configIdIn = (body: string): string | undefined => {
  if (!body.startsWith("{")) return undefined;
  const json = JSON.parse(body) as { result?: Partial<TaskPushNotificationConfig> };
  return json.result?.url === undefined ? undefined : json.result.id;
};
