import type { Socket } from "node:net";
import { A2AError, isTerminal, type ListTasksResponse, type Operation } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { bearerIn } from "../definition/access.ts";
import { type Divergence, mutant } from "../definition/divergence.ts";
import { single } from "../engine/streams.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { without } from "../mutation/json.ts";
import { type InterceptedOperation, intercept, orElse } from "../mutation/operations.ts";
import type { RequestHead } from "../server/admission.ts";
import type { Outcome } from "../server/agent-host.ts";

const credentialsOf = ({ headers }: RequestHead): string | undefined =>
  headers.authorization ?? String(headers["x-api-key"]);

/** What the caller may not see is done in the name of a caller who may. */
const forAnybody = <O extends Operation>({ proceed }: InterceptedOperation<O>): Promise<Outcome> =>
  orElse(proceed(), "TaskNotFound", async (error) => {
    for (const caller of secureCallers) {
      const theirs = await proceed(undefined, { caller }).catch(() => undefined);
      if (theirs) return theirs;
    }
    throw error;
  });

export const authMutants: readonly Divergence[] = [
  mutant("AUTH-006.anonymous", "secure", "Serves callers that show no credentials at all.", {
    admission: (admission) => ({
      ...admission,
      authenticate: (head, agent) =>
        head.headers.authorization || head.headers["x-api-key"]
          ? admission.authenticate(head, agent)
          : { name: "anonymous" },
    }),
  }),

  mutant("AUTH-006.open-streams", "secure", "SubscribeToTask works without credentials.", {
    http: (serve) => async (request, reply) => {
      const body = request.method === "POST" ? String(await request.body().catch(() => "")) : "";
      const isSubscription = body.includes('"SubscribeToTask"') || request.path.endsWith(":subscribe");
      if (!isSubscription || request.headers.authorization || request.headers["x-api-key"])
        return serve(request, reply);
      const stream = reply.events({});
      stream.end();
    },
  }),

  mutant("AUTH-006.open-lists", "secure", "ListTasks works without credentials.", {
    http: changeRequests((request) => {
      const isOpen = request.method === "GET" && request.path.endsWith("/tasks");
      const { authorization, "x-api-key": key } = request.headers;
      if (!isOpen || authorization || key) return {};
      return { headers: { ...request.headers, authorization: "Bearer alice-token" } };
    }),
  }),

  mutant("AUTH-007.any-token", "secure", "The agent accepts any Bearer token.", {
    admission: (admission) => ({
      ...admission,
      async authenticate(head, agent) {
        try {
          return await admission.authenticate(head, agent);
        } catch (error) {
          if (bearerIn(head.headers.authorization) === undefined) throw error;
          return { name: "unknown" };
        }
      },
    }),
  }),

  mutant(
    "AUTH-008.forbidden",
    "secure",
    "A request without credentials returns forbidden instead of unauthenticated.",
    {
      admission: (admission) => ({
        ...admission,
        async authenticate(head, agent) {
          try {
            return await admission.authenticate(head, agent);
          } catch {
            throw new A2AError("PermissionDenied", "Authenticate first");
          }
        },
      }),
    },
  ),

  mutant("AUTH-009.no-challenge", "secure", "A 401 response has no WWW-Authenticate header.", {
    http: changeAnswers((answer) => ({
      ...answer,
      headers: without(answer.headers, "WWW-Authenticate") as Record<string, string>,
    })),
  }),

  mutant("AUTH-010.always-401", "secure", "Valid credentials without the needed permission get 401 instead of 403.", {
    admission: (admission) => ({
      ...admission,
      authorize(caller, operation, agent) {
        try {
          admission.authorize(caller, operation, agent);
        } catch {
          throw new A2AError("Unauthenticated", "This agent asks for credentials");
        }
      },
    }),
  }),

  mutant("AUTH-011.by-context", "secure", "ListTasks with a contextId returns the tasks of other callers.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (!request.contextId) return proceed();
      const all = await Promise.all(secureCallers.map((caller) => ask("ListTasks", request, { caller })));
      const tasks = all.flatMap((page) => page.tasks);
      return { answer: { ...all[0], tasks, totalSize: tasks.length } };
    }),
  }),

  mutant("AUTH-011.unfiltered", "secure", "Lists the tasks of all callers where the request names no context.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (request.contextId) return proceed();
      const all = await Promise.all(secureCallers.map((caller) => ask("ListTasks", request, { caller })));
      const tasks = all.flatMap((page) => page.tasks).slice(0, request.pageSize);
      return { answer: { ...all[0], tasks, totalSize: tasks.length } };
    }),
  }),

  mutant("AUTH-012.global-count", "secure", "ListTasks counts the tasks of all callers in totalSize.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      const all = await Promise.all(
        secureCallers.map((caller) => ask("ListTasks", { ...request, pageToken: "" }, { caller })),
      );
      return { answer: { ...page, totalSize: all.reduce((sum, { totalSize }) => sum + totalSize, 0) } };
    }),
  }),

  mutant("AUTH-012.borrowed-token", "secure", "Shows the next page to every caller that has its token.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (!request.pageToken) return proceed();
      for (const caller of secureCallers) {
        const page = await ask("ListTasks", request, { caller }).catch(() => undefined);
        if (page?.tasks.length) return { answer: page };
      }
      return proceed();
    }),
  }),

  mutant("AUTH-013.knowing-the-id", "secure", "GetTask returns a task to every caller that knows its id.", {
    operations: intercept(["GetTask"], forAnybody),
  }),

  mutant("AUTH-014.anybody-cancels", "secure", "CancelTask works for every caller that knows the id of the task.", {
    operations: intercept(["CancelTask"], forAnybody),
  }),

  mutant("AUTH-014.anybody-watches", "secure", "Lets every caller subscribe to a task whose id it knows.", {
    operations: intercept(["SubscribeToTask"], forAnybody),
  }),

  mutant("AUTH-015.anybody-joins", "secure", "SendMessage continues a task of another caller.", {
    operations: intercept(["SendMessage"], async (asked) => {
      const { message } = asked.request;
      if (!message.taskId) return asked.proceed();
      return orElse(asked.proceed(), "TaskNotFound", async (error) => {
        for (const caller of secureCallers) {
          const theirs = await asked.ask("GetTask", { id: message.taskId! }, { caller }).catch(() => undefined);
          if (theirs) return { answer: { task: theirs } };
        }
        throw error;
      });
    }),
  }),

  mutant("AUTH-015.by-stream", "secure", "Takes messages into a task from every caller that asks for a stream.", {
    operations: intercept(["SendStreamingMessage"], async ({ request, proceed, ask }) => {
      const { taskId } = request.message;
      return orElse(proceed(), "TaskNotFound", async (error) => {
        for (const caller of taskId ? secureCallers : []) {
          const task = await ask("GetTask", { id: taskId! }, { caller }).catch(() => undefined);
          if (task) return { events: single({ task }) };
        }
        throw error;
      });
    }),
  }),

  mutant(
    "AUTH-016.state-first",
    "secure",
    "CancelTask returns TaskNotCancelableError for a completed task of another caller.",
    {
      operations: intercept(["CancelTask"], ({ request, proceed, ask }) =>
        orElse(proceed(), "TaskNotFound", async (error) => {
          for (const caller of secureCallers) {
            const theirs = await ask("GetTask", { id: request.id }, { caller }).catch(() => undefined);
            if (theirs && isTerminal(theirs.status.state))
              throw new A2AError("TaskNotCancelable", "The task has ended");
          }
          throw error;
        }),
      ),
    },
  ),

  mutant("AUTH-016.ended-for-all", "secure", "Says of the task of another caller that it takes no more messages.", {
    operations: intercept(["SendMessage", "SendStreamingMessage"], async ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        for (const caller of secureCallers) {
          const theirs = await ask("GetTask", { id: request.message.taskId! }, { caller }).catch(() => undefined);
          if (theirs && isTerminal(theirs.status.state))
            throw new A2AError("UnsupportedOperation", "The task has ended");
        }
        throw error;
      }),
    ),
  }),

  mutant("AUTH-003.no-hsts", "spec", "Responses over TLS have no Strict-Transport-Security header.", {
    http: (serve) => (request, reply) => {
      reply.raw.removeHeader("Strict-Transport-Security");
      return serve(request, reply);
    },
  }),

  {
    id: "AUTH-019.by-connection",
    base: "secure",
    does: "A connection that was authenticated once needs no credentials afterwards.",
    differs: () => {
      const known = new WeakMap<Socket, string>();
      const http =
        (serve: Handler): Handler =>
        (request, reply) => {
          const { socket } = reply.raw;
          const authorization = request.headers.authorization ?? (socket ? known.get(socket) : undefined);
          if (authorization === undefined) return serve(request, reply);
          if (socket) known.set(socket, authorization);
          return changeRequests(({ headers }) => ({ headers: { ...headers, authorization } }))(serve)(request, reply);
        };
      return { layers: { http } };
    },
  },

  mutant("AUTH-020.quotes-token", "secure", "The error for invalid credentials quotes them.", {
    admission: (admission) => ({
      ...admission,
      async authenticate(head, agent) {
        try {
          return await admission.authenticate(head, agent);
        } catch {
          throw new A2AError("Unauthenticated", `Not valid here: ${credentialsOf(head)}`);
        }
      },
    }),
  }),

  // The agent it is made from sets no limit either: tests try more wrong credentials than any attacker.
  mutant("AUTH-021.unlimited", "secure", "The agent accepts an unlimited number of attempts with wrong credentials.", {
    admission: (admission) => admission,
  }),
];
