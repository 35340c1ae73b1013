import { randomUUID } from "node:crypto";
import {
  A2AError,
  isObject,
  type ListTaskPushNotificationConfigsResponse,
  type SendMessageRequest,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol";
import type { Handler, WireRequest } from "@assay/wire/server";
import { type Divergence, mutant } from "../definition/divergence.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { changeRequests, replyWith } from "../mutation/http.ts";
import { answerOf, inJson } from "../mutation/json.ts";
import { changeParams, intercept, orElse, pushCallOf } from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";

const pushOperations = [
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
] as const;

/** What another client has configured. */
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

/** The parameters of a request, changed before the agent reads them: JSON-RPC has them in an envelope. */
const changeJsonParams = (change: (params: Record<string, unknown>, method: string) => void) =>
  changeRequests((request: WireRequest) => ({
    async body() {
      const body = await request.body();
      if (request.method !== "POST" || body.length === 0) return body;
      try {
        const json = JSON.parse(body.toString()) as Record<string, unknown>;
        change((isObject(json["params"]) ? json["params"] : json) as Record<string, unknown>, String(json["method"]));
        return Buffer.from(JSON.stringify(json));
      } catch {
        return body;
      }
    },
  }));

export const pushMutants: readonly Divergence[] = [
  mutant(
    "PUSH-001.takes-it",
    "minimal",
    "CreateTaskPushNotificationConfig works on an agent that does not support push.",
    {
      operations: intercept(["CreateTaskPushNotificationConfig"], async ({ request }) => ({
        answer: { ...request, id: request.id || randomUUID() },
      })),
    },
  ),

  mutant(
    "PUSH-002.not-found",
    "minimal",
    "GetTaskPushNotificationConfig returns TaskNotFoundError on an agent that does not support push.",
    {
      operations: intercept(["GetTaskPushNotificationConfig"], async () => {
        throw notFound();
      }),
    },
  ),

  mutant(
    "PUSH-003.empty-list",
    "minimal",
    "ListTaskPushNotificationConfigs returns an empty list on an agent that does not support push.",
    {
      operations: intercept(["ListTaskPushNotificationConfigs"], async () => ({
        answer: { configs: [], nextPageToken: "" },
      })),
    },
  ),

  mutant(
    "PUSH-004.fine",
    "minimal",
    "DeleteTaskPushNotificationConfig returns success on an agent that does not support push.",
    {
      operations: intercept(["DeleteTaskPushNotificationConfig"], async () => ({ answer: {} })),
    },
  ),

  mutant("PUSH-005.nested", "full", "CreateTaskPushNotificationConfig returns the nested form of 0.3.", {
    codec: inJson(
      answerOf("CreateTaskPushNotificationConfig", ({ taskId, ...rest }) => ({
        taskId: taskId ?? "",
        pushNotificationConfig: rest,
      })),
    ),
  }),

  mutant("PUSH-005.other-url", "full", "Creating a push configuration returns another url.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], async ({ proceed }) => {
      const config = (await proceed()).answer as TaskPushNotificationConfig;
      return { answer: { ...config, url: "https://example.com/" } };
    }),
  }),

  mutant("PUSH-006.any-task", "full", "CreateTaskPushNotificationConfig accepts an unknown task.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: { ...request, id: request.id || randomUUID() } })),
    ),
  }),

  mutant("PUSH-007.any-url", "full", "CreateTaskPushNotificationConfig accepts any text as url.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      orElse(proceed(), "InvalidParams", () => ({ answer: { ...request, id: request.id || randomUUID() } })),
    ),
  }),

  mutant("PUSH-008.no-scheme", "full", "The agent accepts an authentication that has credentials and no scheme.", {
    http: changeJsonParams((params) => {
      if (isObject(params["authentication"]) && !params["authentication"]["scheme"]) delete params["authentication"];
    }),
  }),

  mutant("PUSH-009.all-at-once", "full", "Deleting one push configuration of a task deletes all of them.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request: { taskId }, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId });
      for (const { id = "" } of configs) await ask("DeleteTaskPushNotificationConfig", { taskId, id });
      return proceed();
    }),
  }),

  mutant(
    "PUSH-010.first-one",
    "full",
    "GetTaskPushNotificationConfig ignores the id and returns the first configuration of the task.",
    {
      operations: intercept(["GetTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
        const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
        return configs[0] ? { answer: configs[0] } : proceed();
      }),
    },
  ),

  mutant("PUSH-011.empty", "full", "GetTaskPushNotificationConfig returns an empty configuration for an unknown id.", {
    operations: intercept(["GetTaskPushNotificationConfig"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: { url: "" } })),
    ),
  }),

  mutant("PUSH-011.none-yet", "full", "Makes up a push configuration for a task that has none.", {
    operations: intercept(["GetTaskPushNotificationConfig"], ({ request: { taskId, id }, proceed, ask }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId });
        if (configs.length) throw error;
        return { answer: { taskId, id, url: "https://example.com/none" } };
      }),
    ),
  }),

  mutant("PUSH-035.in-metadata", "full", "The metadata of a task shows its push configurations.", {
    operations: intercept(["GetTask"], async ({ request: { id }, proceed, host, invocation }) => {
      const { answer } = await proceed();
      const { configs = [] } = await host.push.list(pushCallOf(host, invocation), { taskId: id });
      const webhooks = configs.map(({ authentication }) => authentication?.credentials ?? "");
      return { answer: { ...(answer as Task), metadata: { webhooks } } };
    }),
  }),

  mutant("PUSH-012.by-id", "secure", "GetTaskPushNotificationConfig returns configurations of other callers.", {
    operations: intercept(pushOperations, ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        for (const caller of secureCallers) {
          const theirs = await proceed(undefined, { caller }).catch(() => undefined);
          if (theirs) return theirs;
        }
        throw error;
      }),
    ),
  }),

  mutant(
    "PUSH-013.newest",
    "full",
    "ListTaskPushNotificationConfigs returns only the newest configuration of a task.",
    {
      operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
        const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
        return { answer: { ...rest, configs: configs.slice(-1) } };
      }),
    },
  ),

  mutant("PUSH-013.all-tasks", "full", "Lists push configurations of other tasks besides.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      // Where there are none of its own, it is the rule about empty lists that is broken.
      return { answer: { ...rest, configs: configs.length ? [...configs, foreignConfig] : configs } };
    }),
  }),

  mutant("PUSH-014.empty-list", "full", "ListTaskPushNotificationConfigs returns an empty list for an unknown task.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: { configs: [], nextPageToken: "" } })),
    ),
  }),

  mutant("PUSH-015.no-second-page", "full", "ListTaskPushNotificationConfigs returns one page and no nextPageToken.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const page = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      return { answer: { ...page, nextPageToken: "" } };
    }),
  }),

  mutant("PUSH-006.beside-no-list", "full", "Takes a configuration for any task, and does not know the list of them.", {
    operations: intercept(
      ["CreateTaskPushNotificationConfig", "ListTaskPushNotificationConfigs"],
      async ({ operation, request, proceed }) => {
        if (operation === "ListTaskPushNotificationConfigs") throw new A2AError("MethodNotFound", "Method not found");
        // It is the request of the other operation: the line above looked.
        const config = request as TaskPushNotificationConfig;
        return orElse(proceed(), "TaskNotFound", () => ({ answer: { ...config, id: config.id || randomUUID() } }));
      },
    ),
  }),

  mutant("PUSH-016.kept", "full", "DeleteTaskPushNotificationConfig returns success and keeps the configuration.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, ask }) => {
      await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      return { answer: {} };
    }),
  }),

  {
    id: "PUSH-017.still-told",
    base: "full",
    does: "The agent notifies the webhook of a deleted configuration.",
    differs: () => {
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
      return { layers: { operations } };
    },
  },

  mutant("PUSH-018.breaks-down", "full", "Deleting a push configuration a second time returns an internal error.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      if (!configs.some(({ id }) => id === request.id)) throw new A2AError("Internal", "KeyError");
      return proceed();
    }),
  }),

  mutant("PUSH-019.fine", "full", "DeleteTaskPushNotificationConfig returns success for an unknown task.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: {} })),
    ),
  }),

  mutant("PUSH-019.breaks-down", "full", "DeleteTaskPushNotificationConfig breaks down on an unknown task.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", ({ message }) => {
        throw new A2AError("Internal", message);
      }),
    ),
  }),

  mutant("PUSH-028.ignored", "full", "SendMessage ignores its taskPushNotificationConfig.", {
    operations: changeParams(["SendMessage"], withoutConfig),
  }),

  mutant("PUSH-029.not-while-streaming", "full", "SendStreamingMessage ignores its taskPushNotificationConfig.", {
    operations: changeParams(["SendStreamingMessage"], withoutConfig),
  }),

  mutant("PUSH-030.not-while-waiting", "full", "A blocking SendMessage ignores its taskPushNotificationConfig.", {
    operations: changeParams(["SendMessage"], (request) =>
      request.configuration?.returnImmediately ? request : withoutConfig(request),
    ),
  }),

  {
    id: "PUSH-046.some",
    base: "full",
    does: "GetTaskPushNotificationConfig without id returns some configuration.",
    differs: () => {
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
      return { layers: { http } };
    },
  },

  mutant(
    "PUSH-047.breaks-down",
    "minimal",
    "SendMessage with a push configuration gets an internal error from an agent without push.",
    {
      operations: intercept(["SendMessage"], async ({ request, proceed }) => {
        if (request.configuration?.taskPushNotificationConfig) throw new A2AError("Internal", "NoneType");
        return proceed();
      }),
    },
  ),

  mutant(
    "PUSH-048.not-found",
    "full",
    "ListTaskPushNotificationConfigs returns an error for a task without configurations.",
    {
      operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
        const outcome = await proceed();
        if ((outcome.answer as ListTaskPushNotificationConfigsResponse).configs?.length === 0) throw notFound();
        return outcome;
      }),
    },
  ),
];

/** The id of a push configuration that stands alone in an answer. */
const configIdIn = (body: string): string | undefined => {
  if (!body.startsWith("{")) return undefined;
  const json = JSON.parse(body) as { result?: Partial<TaskPushNotificationConfig> };
  return json.result?.url === undefined ? undefined : json.result.id;
};
