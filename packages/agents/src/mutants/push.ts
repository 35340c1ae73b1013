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
import { secureCallers } from "../identity/secure-callers.ts";
import { type Divergence, mutant } from "../mutant.ts";
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
  mutant("PUSH-001.takes-it", "minimal", "Takes push configurations although it sends no notifications.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], async ({ request }) => ({
      answer: { ...request, id: request.id || randomUUID() },
    })),
  }),

  mutant("PUSH-002.not-found", "minimal", "Finds no push configuration, because it never has any.", {
    operations: intercept(["GetTaskPushNotificationConfig"], async () => {
      throw notFound();
    }),
  }),

  mutant("PUSH-003.empty-list", "minimal", "Lists the push configurations that it does not take: none.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async () => ({
      answer: { configs: [], nextPageToken: "" },
    })),
  }),

  mutant("PUSH-004.fine", "minimal", "Confirms that a push configuration is deleted, because it has none.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async () => ({ answer: {} })),
  }),

  mutant("PUSH-005.nested", "full", "Answers a new push configuration in the shape of 0.3.", {
    codec: inJson(
      answerOf("CreateTaskPushNotificationConfig", ({ taskId, ...rest }) => ({
        taskId: taskId ?? "",
        pushNotificationConfig: rest,
      })),
    ),
  }),

  mutant("PUSH-006.any-task", "full", "Takes push configurations for tasks that it does not have.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: { ...request, id: request.id || randomUUID() } })),
    ),
  }),

  mutant("PUSH-007.any-url", "full", "Takes any text for the address of a webhook.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      orElse(proceed(), "InvalidParams", () => ({ answer: { ...request, id: request.id || randomUUID() } })),
    ),
  }),

  mutant("PUSH-008.no-scheme", "full", "Takes credentials for webhooks that name no scheme, and forgets them.", {
    http: changeJsonParams((params) => {
      if (isObject(params["authentication"]) && !params["authentication"]["scheme"]) delete params["authentication"];
    }),
  }),

  mutant("PUSH-009.all-at-once", "full", "Forgets all push configurations of a task with the first that is deleted.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request: { taskId }, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId });
      for (const { id = "" } of configs) await ask("DeleteTaskPushNotificationConfig", { taskId, id });
      return proceed();
    }),
  }),

  mutant("PUSH-010.first-one", "full", "Shows the first configuration of a task, whichever is asked for.", {
    operations: intercept(["GetTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      return configs[0] ? { answer: configs[0] } : proceed();
    }),
  }),

  mutant("PUSH-011.empty", "full", "Shows an empty push configuration where there is none.", {
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

  mutant("PUSH-035.in-metadata", "full", "Shows the push configurations of a task in its metadata.", {
    operations: intercept(["GetTask"], async ({ request: { id }, proceed, host, invocation }) => {
      const { answer } = await proceed();
      const { configs = [] } = await host.push.list(pushCallOf(host, invocation), { taskId: id });
      const webhooks = configs.map(({ authentication }) => authentication?.credentials ?? "");
      return { answer: { ...(answer as Task), metadata: { webhooks } } };
    }),
  }),

  mutant("PUSH-012.by-id", "secure", "Serves push configurations to everybody who knows the ids.", {
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

  mutant("PUSH-013.newest", "full", "Lists only the newest push configuration of a task.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      return { answer: { ...rest, configs: configs.slice(-1) } };
    }),
  }),

  mutant("PUSH-013.all-tasks", "full", "Lists push configurations of other tasks besides.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      // Where there are none of its own, it is the rule about empty lists that is broken.
      return { answer: { ...rest, configs: configs.length ? [...configs, foreignConfig] : configs } };
    }),
  }),

  mutant("PUSH-014.empty-list", "full", "Lists no push configurations for tasks that it does not have.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: { configs: [], nextPageToken: "" } })),
    ),
  }),

  mutant("PUSH-015.no-second-page", "full", "Gives one page of push configurations, and no way to the next.", {
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

  mutant("PUSH-016.kept", "full", "Says that a configuration is deleted, and keeps it.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, ask }) => {
      await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      return { answer: {} };
    }),
  }),

  {
    id: "PUSH-017.still-told",
    base: "full",
    does: "Hides push configurations that are deleted, and goes on telling their webhooks.",
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

  mutant("PUSH-018.breaks-down", "full", "Breaks down when a push configuration is deleted that is not there.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      if (!configs.some(({ id }) => id === request.id)) throw new A2AError("Internal", "KeyError");
      return proceed();
    }),
  }),

  mutant("PUSH-019.fine", "full", "Confirms deletions from tasks that it does not have.", {
    operations: intercept(["DeleteTaskPushNotificationConfig"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: {} })),
    ),
  }),

  mutant("PUSH-028.ignored", "full", "Overlooks the push configuration of a message.", {
    operations: changeParams(["SendMessage"], withoutConfig),
  }),

  mutant("PUSH-029.not-while-streaming", "full", "Overlooks the push configuration of a message that is streamed.", {
    operations: changeParams(["SendStreamingMessage"], withoutConfig),
  }),

  mutant("PUSH-030.not-while-waiting", "full", "Overlooks push configurations of those who wait for the answer.", {
    operations: changeParams(["SendMessage"], (request) =>
      request.configuration?.returnImmediately ? request : withoutConfig(request),
    ),
  }),

  {
    id: "PUSH-046.some",
    base: "full",
    does: "Shows the last push configuration it took to those who do not say which one they want.",
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

  mutant("PUSH-047.breaks-down", "minimal", "Breaks down when a message has a push configuration.", {
    operations: intercept(["SendMessage"], async ({ request, proceed }) => {
      if (request.configuration?.taskPushNotificationConfig) throw new A2AError("Internal", "NoneType");
      return proceed();
    }),
  }),

  mutant("PUSH-048.not-found", "full", "Finds no list of push configurations for a task that has none.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const outcome = await proceed();
      if ((outcome.answer as ListTaskPushNotificationConfigsResponse).configs?.length === 0) throw notFound();
      return outcome;
    }),
  }),
];

/** The id of a push configuration that stands alone in an answer. */
const configIdIn = (body: string): string | undefined => {
  if (!body.startsWith("{")) return undefined;
  const json = JSON.parse(body) as { result?: Partial<TaskPushNotificationConfig> };
  return json.result?.url === undefined ? undefined : json.result.id;
};
