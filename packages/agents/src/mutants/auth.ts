import type { Socket } from "node:net";
import { A2AError, isTerminal, type ListTasksResponse, type Operation } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { secureCallers } from "../access.ts";
import { reanswer, reread } from "../bending/http.ts";
import { without } from "../bending/json.ts";
import { type Asked, instead, orElse } from "../bending/operations.ts";
import type { Caller } from "../http/gate.ts";
import type { Outcome } from "../http/host.ts";
import { type Divergence, mutant } from "../mutant.ts";

const credentialsOf = ({ headers }: Caller): string | undefined =>
  headers.authorization ?? String(headers["x-api-key"]);

/** What the caller may not see is done in the name of somebody who may. */
const forAnybody = <O extends Operation>({ proceed }: Asked<O>): Promise<Outcome> =>
  orElse(proceed(), "TaskNotFound", async (error) => {
    for (const principal of secureCallers) {
      const theirs = await proceed(undefined, { principal }).catch(() => undefined);
      if (theirs) return theirs;
    }
    throw error;
  });

export const authMutants: readonly Divergence[] = [
  mutant("AUTH-006.anonymous", "secure", "Serves those who show no credentials at all.", {
    gate: (gate) => ({
      ...gate,
      authenticate: (caller, agent) =>
        caller.headers.authorization || caller.headers["x-api-key"]
          ? gate.authenticate(caller, agent)
          : { name: "anonymous" },
    }),
  }),

  mutant("AUTH-007.any-token", "secure", "Takes every Bearer token for a good one.", {
    gate: (gate) => ({
      ...gate,
      authenticate: (caller, agent) =>
        agent.access?.identify(caller.headers) || !/^bearer \S/i.test(caller.headers.authorization ?? "")
          ? gate.authenticate(caller, agent)
          : { name: "somebody" },
    }),
  }),

  mutant("AUTH-008.forbidden", "secure", "Forbids strangers what they ask for, instead of asking who they are.", {
    gate: (gate) => ({
      ...gate,
      authenticate(caller, agent) {
        try {
          return gate.authenticate(caller, agent);
        } catch {
          throw new A2AError("PermissionDenied", "Authenticate first");
        }
      },
    }),
  }),

  mutant("AUTH-009.no-challenge", "secure", "Turns strangers away without saying how to authenticate.", {
    http: reanswer((answer) => ({
      ...answer,
      headers: without(answer.headers, "WWW-Authenticate") as Record<string, string>,
    })),
  }),

  mutant("AUTH-010.always-401", "secure", "Asks for credentials again where they are good but not enough.", {
    gate: (gate) => ({
      ...gate,
      authorize(principal, operation, agent) {
        try {
          gate.authorize(principal, operation, agent);
        } catch {
          throw new A2AError("Unauthenticated", "This agent asks for credentials");
        }
      },
    }),
  }),

  mutant("AUTH-011.by-context", "secure", "Lists the tasks of a context to everybody who knows its id.", {
    operations: instead(["ListTasks"], async ({ request, proceed, ask }) => {
      if (!request.contextId) return proceed();
      const all = await Promise.all(secureCallers.map((principal) => ask("ListTasks", request, { principal })));
      const tasks = all.flatMap((page) => page.tasks);
      return { answer: { ...all[0], tasks, totalSize: tasks.length } };
    }),
  }),

  mutant("AUTH-012.global-count", "secure", "Counts the tasks of everybody in totalSize.", {
    operations: instead(["ListTasks"], async ({ request, proceed, ask }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      const all = await Promise.all(
        secureCallers.map((principal) => ask("ListTasks", { ...request, pageToken: "" }, { principal })),
      );
      return { answer: { ...page, totalSize: all.reduce((sum, { totalSize }) => sum + totalSize, 0) } };
    }),
  }),

  mutant("AUTH-013.knowing-the-id", "secure", "Shows a task to everybody who knows its id.", {
    operations: instead(["GetTask"], forAnybody),
  }),

  mutant("AUTH-014.anybody-cancels", "secure", "Lets everybody cancel a task who knows its id.", {
    operations: instead(["CancelTask"], forAnybody),
  }),

  mutant("AUTH-015.anybody-joins", "secure", "Takes messages into a task from everybody who knows its id.", {
    operations: instead(["SendMessage"], async (asked) => {
      const { message } = asked.request;
      if (!message.taskId) return asked.proceed();
      return orElse(asked.proceed(), "TaskNotFound", async (error) => {
        for (const principal of secureCallers) {
          const theirs = await asked.ask("GetTask", { id: message.taskId! }, { principal }).catch(() => undefined);
          if (theirs) return { answer: { task: theirs } };
        }
        throw error;
      });
    }),
  }),

  mutant("AUTH-016.state-first", "secure", "Says of a task of somebody else that it cannot be canceled any more.", {
    operations: instead(["CancelTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        for (const principal of secureCallers) {
          const theirs = await ask("GetTask", { id: request.id }, { principal }).catch(() => undefined);
          if (theirs && isTerminal(theirs.status.state)) throw new A2AError("TaskNotCancelable", "The task has ended");
        }
        throw error;
      }),
    ),
  }),

  mutant("AUTH-003.no-hsts", "spec", "Does not insist on TLS, although it is served over it.", {
    http: (serve) => (request, reply) => {
      reply.raw.removeHeader("Strict-Transport-Security");
      return serve(request, reply);
    },
  }),

  {
    id: "AUTH-019.by-connection",
    base: "secure",
    does: "Knows a caller by the connection on which credentials were shown before.",
    differs: () => {
      const known = new WeakMap<Socket, string>();
      const http =
        (serve: Handler): Handler =>
        (request, reply) => {
          const { socket } = reply.raw;
          const authorization = request.headers.authorization ?? (socket ? known.get(socket) : undefined);
          if (authorization === undefined) return serve(request, reply);
          if (socket) known.set(socket, authorization);
          return reread(({ headers }) => ({ headers: { ...headers, authorization } }))(serve)(request, reply);
        };
      return { layers: { http } };
    },
  },

  mutant("AUTH-020.quotes-token", "secure", "Repeats credentials that it does not know in the text of its error.", {
    gate: (gate) => ({
      ...gate,
      authenticate(caller, agent) {
        try {
          return gate.authenticate(caller, agent);
        } catch {
          throw new A2AError("Unauthenticated", `Not valid here: ${credentialsOf(caller)}`);
        }
      },
    }),
  }),

  // Neither does the agent it is made from, whose callers try more wrong credentials than any attacker.
  mutant("AUTH-021.unlimited", "secure", "Lets everybody try as many credentials as they like.", {
    gate: (gate) => gate,
  }),
];
