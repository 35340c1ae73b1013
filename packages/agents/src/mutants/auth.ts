import { A2AError, type ListTasksResponse } from "@assay/protocol";
import { secureCallers } from "../access.ts";
import { reanswer } from "../bending/http.ts";
import { without } from "../bending/json.ts";
import { instead, orElse } from "../bending/operations.ts";
import type { Caller } from "../http/gate.ts";
import { mutant } from "../mutant.ts";

const credentialsOf = ({ headers }: Caller): string | undefined =>
  headers.authorization ?? String(headers["x-api-key"]);

export const authMutants = [
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
    operations: instead(["GetTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        for (const principal of secureCallers) {
          const theirs = await ask("GetTask", request, { principal }).catch(() => undefined);
          if (theirs) return { answer: theirs };
        }
        throw error;
      }),
    ),
  }),

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
];
