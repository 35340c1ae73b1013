import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  A2AError,
  isObject,
  type ListTaskPushNotificationConfigsResponse,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from "@assay/protocol";
import type { Handler, WireRequest } from "@assay/wire/server";
import { secureCallers } from "../access.ts";
import type { Layers } from "../layers.ts";
import { type Divergence, mutant } from "../mutant.ts";
import { changeRequests, replyWith } from "../mutation/http.ts";
import { answerOf, inJson } from "../mutation/json.ts";
import { changeParams, intercept, orElse } from "../mutation/operations.ts";

type Header = readonly [string, string];

/** Notifications, changed before they leave. */
const posting =
  (change: (headers: readonly Header[], body: string) => { headers: readonly Header[]; body: string }) =>
  (post: Parameters<NonNullable<Layers["push"]>>[0]): typeof post =>
  (url, given, text, signal) => {
    const { headers, body } = change(given, text);
    return post(url, headers, body, signal);
  };

/** Some notifications never leave. */
const dropping =
  (isDropped: (url: string, body: string) => boolean) =>
  (post: Parameters<NonNullable<Layers["push"]>>[0]): typeof post =>
  async (url, headers, body, signal) =>
    isDropped(url, body) ? { status: 200 } : post(url, headers, body, signal);

const pushOperations = [
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
] as const;

const notFound = (): A2AError => new A2AError("TaskNotFound", "There is no such configuration");

const withoutConfig = (request: SendMessageRequest): SendMessageRequest => {
  const { taskPushNotificationConfig: _gone, ...rest } = request.configuration ?? {};
  return { ...request, configuration: rest };
};

/** The parameters of a request, changed before anybody looks at them: JSON-RPC has them in an envelope. */
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

const replaced = (headers: readonly Header[], name: string, value: (old: string) => string): Header[] =>
  headers.map(([key, old]) => [key, key === name ? value(old) : old]);

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
      const hidden = new Set<string>();
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

  mutant("PUSH-020.silent", "full", "Takes push configurations, and never calls a webhook.", {
    push: dropping(() => true),
  }),

  {
    id: "PUSH-021.first-only",
    base: "full",
    does: "Tells only the first webhook of a task.",
    differs: () => {
      const first = new Map<string, string>();
      const push = dropping((url, body) => {
        const id = taskIdIn(body);
        if (!first.has(id)) first.set(id, url);
        return first.get(id) !== url;
      });
      return { layers: { push } };
    },
  },

  mutant("PUSH-022.bare", "full", "Posts to webhooks what happened without saying what it is, as 0.3 did.", {
    push: posting((headers, body) => ({ headers, body: JSON.stringify(Object.values(JSON.parse(body) as object)[0]) })),
  }),

  mutant("PUSH-023.envelope", "full", "Posts to webhooks what it would answer over JSON-RPC.", {
    push: posting((headers, body) => ({
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), result: JSON.parse(body) }),
    })),
  }),

  mutant("PUSH-024.always-bearer", "full", "Shows every webhook its credentials as a Bearer token.", {
    push: posting((headers, body) => ({
      headers: replaced(headers, "Authorization", (old) => old.replace(/^\S+/, "Bearer")),
      body,
    })),
  }),

  mutant("PUSH-025.form", "full", "Labels what it posts to webhooks as a form.", {
    push: posting((headers, body) => ({
      headers: replaced(headers, "Content-Type", () => "application/x-www-form-urlencoded"),
      body,
    })),
  }),

  mutant("PUSH-026.exact", "full", "Knows the scheme Bearer only when it is written so.", {
    push: posting((headers, body) => ({
      headers: headers.filter(([name, value]) => name !== "Authorization" || !value.startsWith("bearer ")),
      body,
    })),
  }),

  mutant("PUSH-027.crossed", "full", "Tells webhooks of another task than theirs.", {
    push: posting((headers, body) => ({ headers, body: body.replaceAll(taskIdIn(body), randomUUID()) })),
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

  mutant("PUSH-044.never-the-end", "full", "Tells webhooks everything but how the task ended.", {
    push: dropping((_url, body) => /TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)/.test(body)),
  }),

  mutant("PUSH-045.lost", "full", "Loses the token of a push configuration.", {
    push: posting((headers, body) => ({
      headers: headers.filter(([name]) => name !== "X-A2A-Notification-Token"),
      body,
    })),
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

  mutant("PUSH-031.only-once", "full", "Sends every notification once, whatever becomes of it.", {
    push: (post) => async (url, headers, body, signal) => {
      await post(url, headers, body, signal);
      return { status: 200 };
    },
  }),

  mutant("PUSH-032.for-ever", "full", "Waits for the answer of a webhook for as long as it takes.", {
    push: (post) => (url, headers, body, signal) => post(url, headers, body, signal, "webhook for ever"),
  }),

  mutant("PUSH-033.again-and-again", "full", "Sends a notification again at once until it is taken.", {
    push: (post) => async (url, headers, body, signal) => {
      for (let attempt = 1; ; attempt++) {
        const result = await post(url, headers, body, signal);
        const isTaken = "status" in result && result.status < 300;
        // Its own end is that of the test bed's patience with it.
        if (isTaken || signal.aborted || attempt === 200) return result;
        await delay(20, undefined, { signal }).catch(() => {});
      }
    },
  }),

  // The test bed itself calls webhooks on this machine where it is bound to it, and never others of that kind.
  mutant("PUSH-034.this-machine", "full", "Calls webhooks on the machine that it runs on.", {
    push: (post) => post,
  }),

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

const taskIdIn = (body: string): string => {
  const { task, statusUpdate, artifactUpdate } = JSON.parse(body) as Record<string, { id?: string; taskId?: string }>;
  return task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? "";
};

/** The id of a push configuration that stands alone in an answer. */
const configIdIn = (body: string): string | undefined => {
  if (!body.startsWith("{")) return undefined;
  const json = JSON.parse(body) as { result?: Partial<TaskPushNotificationConfig> };
  return json.result?.url === undefined ? undefined : json.result.id;
};
