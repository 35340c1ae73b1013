import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { A2AError, isTerminal, jsonObjectIn } from "@assay/protocol";
import type { Handler, WireReply } from "@assay/wire/server";
import { bearerIn } from "../definition/access.ts";
import type { RequestHead } from "../definition/admission.ts";
import { type Divergence, secure, spec } from "../definition/divergence.ts";
import { single } from "../engine/streams.ts";
import { audienceAt, baseOfIssuer } from "../identity/places.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { refusesFor, whereRefused } from "../mutation/admission.ts";
import { forAnybody, taskOfAnybody } from "../mutation/callers.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { without } from "../mutation/json.ts";
import { changeAnswer, instead, intercept } from "../mutation/operations.ts";
import { postedText } from "../mutation/requests.ts";

const credentialsOf = ({ headers }: RequestHead): string | undefined =>
  headers.authorization ?? String(headers["x-api-key"]);

export const authMutants: readonly Divergence[] = [
  secure("AUTH-006.anonymous", "Accepts callers without any credentials.", {
    admission: (admission) => ({
      ...admission,
      authenticate: (head, agent) =>
        head.headers.authorization || head.headers["x-api-key"]
          ? admission.authenticate(head, agent)
          : { name: "anonymous" },
    }),
  }),

  secure("AUTH-006.open-streams", "SubscribeToTask works without credentials.", {
    http: (serve) => async (request, reply) => {
      const body = await postedText(request);
      const isSubscription = body.includes('"SubscribeToTask"') || request.path.endsWith(":subscribe");
      if (!isSubscription || request.headers.authorization || request.headers["x-api-key"])
        return serve(request, reply);
      const stream = reply.events({});
      stream.end();
    },
  }),

  secure("AUTH-006.open-lists", "ListTasks works without credentials.", {
    http: changeRequests((request) => {
      const isOpen = request.method === "GET" && request.path.endsWith("/tasks");
      const { authorization, "x-api-key": key } = request.headers;
      if (!isOpen || authorization || key) return {};
      return { headers: { ...request.headers, authorization: "Bearer alice-token" } };
    }),
  }),

  secure("AUTH-007.any-token", "The agent accepts any Bearer token.", {
    admission: whereRefused("authenticate", (error, head) => {
      if (bearerIn(head.headers.authorization) === undefined) throw error;
      return { name: "unknown" };
    }),
  }),

  secure("AUTH-008.forbidden", "A request without credentials returns forbidden instead of unauthenticated.", {
    admission: refusesFor("authenticate", "PermissionDenied", "Authenticate first"),
  }),

  secure("AUTH-009.no-challenge", "A 401 response has no WWW-Authenticate header.", {
    http: changeAnswers((answer) => ({
      ...answer,
      headers: without(answer.headers, "WWW-Authenticate") as Record<string, string>,
    })),
  }),

  secure("AUTH-010.always-401", "Valid credentials without the required permission get 401 instead of 403.", {
    admission: refusesFor("authorize", "Unauthenticated", "This agent requires credentials"),
  }),

  secure("AUTH-011.by-context", "ListTasks with a contextId returns the tasks of other callers.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (!request.contextId) return proceed();
      const all = await Promise.all(secureCallers.map((caller) => ask("ListTasks", request, { caller })));
      const tasks = all.flatMap((page) => page.tasks);
      return { answer: { ...all[0], tasks, totalSize: tasks.length } };
    }),
  }),

  secure("AUTH-011.unfiltered", "ListTasks without a contextId returns the tasks of all callers.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (request.contextId) return proceed();
      const all = await Promise.all(secureCallers.map((caller) => ask("ListTasks", request, { caller })));
      const tasks = all.flatMap((page) => page.tasks).slice(0, request.pageSize);
      return { answer: { ...all[0], tasks, totalSize: tasks.length } };
    }),
  }),

  secure("AUTH-012.global-count", "ListTasks counts the tasks of all callers in totalSize.", {
    operations: changeAnswer(["ListTasks"], async (page, { request, ask }) => {
      const all = await Promise.all(
        secureCallers.map((caller) => ask("ListTasks", { ...request, pageToken: "" }, { caller })),
      );
      return { ...page, totalSize: all.reduce((sum, { totalSize }) => sum + totalSize, 0) };
    }),
  }),

  secure("AUTH-012.borrowed-token", "Any caller that has a page token gets the next page.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (!request.pageToken) return proceed();
      for (const caller of secureCallers) {
        const page = await ask("ListTasks", request, { caller }).catch(() => undefined);
        if (page?.tasks.length) return { answer: page };
      }
      return proceed();
    }),
  }),

  secure("AUTH-013.knowing-the-id", "GetTask returns a task to every caller that knows its id.", {
    operations: forAnybody(["GetTask"]),
  }),

  secure("AUTH-014.anybody-cancels", "CancelTask works for every caller that knows the id of the task.", {
    operations: forAnybody(["CancelTask"]),
  }),

  secure("AUTH-014.anybody-watches", "Any caller can subscribe to a task if it knows the id.", {
    operations: forAnybody(["SubscribeToTask"]),
  }),

  secure("AUTH-015.anybody-joins", "SendMessage continues a task of another caller.", {
    operations: instead(["SendMessage"], "TaskNotFound", async (error, { request, ask }) => {
      const task = await taskOfAnybody(ask, { id: request.message.taskId! });
      if (!task) throw error;
      return { answer: { task } };
    }),
  }),

  secure("AUTH-015.by-stream", "Any caller can continue a task by SendStreamingMessage.", {
    operations: instead(["SendStreamingMessage"], "TaskNotFound", async (error, { request, ask }) => {
      const task = await taskOfAnybody(ask, { id: request.message.taskId! });
      if (!task) throw error;
      return { events: single({ task }) };
    }),
  }),

  secure("AUTH-016.state-first", "CancelTask returns TaskNotCancelableError for a completed task of another caller.", {
    operations: instead(["CancelTask"], "TaskNotFound", async (error, { request, ask }) => {
      const theirs = await taskOfAnybody(ask, { id: request.id });
      throw theirs && isTerminal(theirs.status.state) ? new A2AError("TaskNotCancelable", "The task has ended") : error;
    }),
  }),

  secure("AUTH-016.ended-for-all", "A message to another caller's task gets the error for an ended task.", {
    operations: instead(["SendMessage", "SendStreamingMessage"], "TaskNotFound", async (error, { request, ask }) => {
      const theirs = await taskOfAnybody(ask, { id: request.message.taskId! });
      throw theirs && isTerminal(theirs.status.state)
        ? new A2AError("UnsupportedOperation", "The task has ended")
        : error;
    }),
  }),

  spec("AUTH-003.no-hsts", "Responses over TLS have no Strict-Transport-Security header.", {
    http: (serve) => (request, reply) => {
      reply.raw.removeHeader("Strict-Transport-Security");
      return serve(request, reply);
    },
  }),

  secure("AUTH-019.by-connection", "An authenticated connection needs no credentials for later requests.", () => {
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
    return { http };
  }),

  secure("AUTH-020.quotes-token", "The error for invalid credentials quotes them.", {
    admission: whereRefused("authenticate", (_error, head) => {
      throw new A2AError("Unauthenticated", `Not valid here: ${credentialsOf(head)}`);
    }),
  }),

  // Unchanged: the base agent has no limit either, because tests send many wrong credentials.
  secure("AUTH-021.unlimited", "The agent accepts an unlimited number of attempts with wrong credentials.", {
    admission: (admission) => admission,
  }),
];

/** The content of a signed token, before its signature is verified. */
interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

function partsOf(token: string): TokenParts | undefined {
  const [header, claims] = token
    .split(".")
    .slice(0, 2)
    .map((part) => jsonObjectIn(Buffer.from(part, "base64url")));
  return header && claims ? { header, claims } : undefined;
}

const seconds = (value: unknown): number => (typeof value === "number" ? value : 0);
const now = (): number => Date.now() / 1000;

const isUnsigned = ({ header }: TokenParts): boolean => header["alg"] === "none";
const isExpired = ({ claims }: TokenParts): boolean => seconds(claims["exp"]) < now();
const isEarly = ({ claims }: TokenParts): boolean => seconds(claims["nbf"]) > now();
const isForOthers = ({ claims }: TokenParts): boolean => !String(claims["aud"]).endsWith("/secure");
/** Issuer and agent have one address here. */
const isOfOthers = ({ claims }: TokenParts): boolean =>
  audienceAt(baseOfIssuer(String(claims["iss"])) ?? "") !== claims["aud"];
/** Returns true if only the signature can be wrong. */
const isUnverified = (token: TokenParts): boolean =>
  ![isUnsigned, isExpired, isEarly, isForOthers, isOfOthers].some((isWrong) => isWrong(token));

/** Accepts tokens that are invalid in this one way; all others are verified. */
const taking = (id: string, does: string, isTaken: (token: TokenParts) => boolean): Divergence =>
  secure(id, does, {
    admission: whereRefused("authenticate", (error, head) => {
      const token = partsOf(bearerIn(head.headers.authorization) ?? "");
      const caller = token && isTaken(token) && secureCallers.find(({ name }) => name === token.claims["sub"]);
      if (!caller) throw error;
      return caller;
    }),
  });

/** Agents that do not verify tokens strictly enough. Only callers with a token see it. */
export const tokenMutants: readonly Divergence[] = [
  taking("AUTH-007.unverified-token", "Accepts a token without verifying its signature.", isUnverified),
  taking("AUTH-007.unsigned-token", "Accepts an unsigned token (alg none).", isUnsigned),
  taking("AUTH-007.expired-token", "Accepts expired tokens.", isExpired),
  taking("AUTH-007.early-token", "Accepts tokens before their start time.", isEarly),
  taking("AUTH-007.other-audience", "Accepts tokens that were issued for another agent.", isForOthers),
  taking("AUTH-007.other-issuer", "Accepts tokens of an unknown issuer.", isOfOthers),
];

/** Returns the name on the client certificate, whichever authority signed it. */
const claimedName = ({ raw: { socket } }: WireReply): string | undefined => {
  const { subject } = (socket as Partial<TLSSocket> | null)?.getPeerCertificate?.() ?? {};
  return typeof subject?.CN === "string" ? subject.CN : undefined;
};

/** Visible only over TLS with client certificates. */
export const certificateMutants: readonly Divergence[] = [
  secure("AUTH-007.any-certificate", "Accepts a client certificate from any authority.", {
    http: (serve) => (request, reply) => {
      const caller = secureCallers.find(({ name }) => name === claimedName(reply));
      if (!caller || request.headers.authorization || request.headers["x-api-key"]) return serve(request, reply);
      return changeRequests(({ headers }) => ({ headers: { ...headers, "x-api-key": caller.apiKey } }))(serve)(
        request,
        reply,
      );
    },
  }),
];
