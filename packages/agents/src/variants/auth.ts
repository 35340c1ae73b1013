import { A2AError, type SecurityScheme } from "@assay/protocol";
import { isLoopback } from "@assay/protocol/core";
import type { Access } from "../definition/access.ts";
import type { Admission } from "../definition/admission.ts";
import { type Divergence, full, secure } from "../definition/divergence.ts";
import { status } from "../definition/skill.ts";
import { callersWithKeys } from "../identity/secure-access.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { taskOfAnybody } from "../mutation/callers.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { instead, intercept } from "../mutation/operations.ts";

/** Limit of wrong credentials, and the time window in which they count. */
const [bearable, windowMs] = [25, 1_000];

/** The callers of /secure, with their API key elsewhere. */
function withKeyIn(apiKeySecurityScheme: NonNullable<SecurityScheme["apiKeySecurityScheme"]>): Access {
  const access = callersWithKeys(secureCallers);
  return { ...access, schemes: { ...access.schemes, apiKey: { apiKeySecurityScheme } } };
}

/** Permissions, where the specification leaves a choice. */
export const authVariants: readonly Divergence[] = [
  // AMB-33: for JSON-RPC, the specification names only "a custom error".
  secure("login-in-the-envelope", "Asks for credentials over JSON-RPC with HTTP 200 and an error object.", {
    http: changeAnswers((answer) =>
      (answer.status === 401 || answer.status === 403) && String(answer.body).includes('"jsonrpc"')
        ? { ...answer, status: 200 }
        : answer,
    ),
  }),

  // SEC-003: an agent must validate a URL before it fetches it.
  full("rejects-private-files", "Rejects a message that refers to a file on a private address.", {
    async *events(events, { message }) {
      const isPrivate = (url: string): boolean => {
        const { hostname, protocol } = new URL(url);
        return isLoopback(hostname) || /^(10\.|192\.168\.|169\.254\.|0\.|\[)/.test(hostname) || protocol === "file:";
      };
      if (message.parts.some(({ url }) => url !== undefined && isPrivate(url)))
        return yield status("rejected", "Files on private addresses are not fetched.");
      yield* events;
    },
  }),

  // ERR-010: a permission may depend on the task, so this agent looks up the task first.
  secure("rights-after-look-up", "Checks permission to cancel after looking up the task.", {
    admission: (admission) => ({
      ...admission,
      authorize: (caller, operation, agent) =>
        operation === "CancelTask" ? undefined : admission.authorize(caller, operation, agent),
    }),
    operations: intercept(["CancelTask"], async ({ request, ask, invocation: { caller }, proceed }) => {
      await ask("GetTask", { id: request.id });
      if (caller?.mayNot?.includes("CancelTask")) throw new A2AError("PermissionDenied", "You may not cancel tasks");
      return proceed();
    }),
  }),

  // AMB-33: §3.3.2 lists the task of another user among the authorization errors.
  secure(
    "foreign-is-forbidden",
    "Returns forbidden for another caller's task, and not found for one that does not exist.",
    {
      operations: instead(["GetTask", "CancelTask"], "TaskNotFound", async (error, { request, ask }) => {
        throw (await taskOfAnybody(ask, { id: request.id }))
          ? new A2AError("PermissionDenied", "You may not see that")
          : error;
      }),
    },
  ),

  // AMB-33: a gateway in front of the agent rejects callers in its own format.
  secure("mute-login", "Returns a bare 401 over HTTP, without a body.", {
    http: changeAnswers((answer) =>
      answer.status === 401 ? { ...answer, headers: { "WWW-Authenticate": 'Bearer realm="x"' }, body: "" } : answer,
    ),
  }),

  secure(
    "key-in-query",
    "Takes the API key in the query string.",
    {
      http: changeRequests(({ query, headers }) => {
        const parameters = new URLSearchParams(query);
        const key = parameters.get("key");
        if (key === null) return {};
        parameters.delete("key");
        return { query: parameters.toString(), headers: { ...headers, "x-api-key": key } };
      }),
    },
    { access: withKeyIn({ location: "query", name: "key" }) },
  ),

  secure(
    "key-in-cookie",
    "Takes the API key in a cookie.",
    {
      http: changeRequests(({ headers }) => {
        const [, key] = /(?:^|;\s*)agent-key=([^;]*)/.exec(headers.cookie ?? "") ?? [];
        return key === undefined ? {} : { headers: { ...headers, "x-api-key": key } };
      }),
    },
    { access: withKeyIn({ location: "cookie", name: "agent-key" }) },
  ),

  // §13.4: agents should limit authentication failures.
  secure("slows-guessing", "Asks a client that tries several wrong credentials to slow down.", () => {
    let failures: number[] = [];
    const slowing = (admission: Admission): Admission => ({
      ...admission,
      async authenticate(head, agent) {
        try {
          return await admission.authenticate(head, agent);
        } catch (error) {
          if (!head.headers.authorization && !head.headers["x-api-key"]) throw error;
          const now = performance.now();
          failures = [...failures.filter((at) => at > now - windowMs), now];
          if (failures.length <= bearable) throw error;
          throw new A2AError("TooManyRequests", "Slow down", { facts: { retryAfterSeconds: "1" } });
        }
      },
    });
    return { admission: slowing };
  }),
];
