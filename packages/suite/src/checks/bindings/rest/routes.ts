import { isA2A, isNamed } from "../../../answers/error-names.ts";
import { isInternal } from "../../../answers/expect-error.ts";
import { brief } from "../../../answers/loose-json.ts";
import { answerOf, errorOf, isLogin } from "../../../answers/reading.ts";
import { isPage, isUnknown } from "../../../answers/served.ts";
import { assertReadable } from "../../../answers/unreadable-events.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import {
  breach,
  broken,
  crashed,
  type Details,
  type Finding,
  holds,
  notApplicable,
  notExamined,
} from "../../../define/finding.ts";
import type { HttpChange, Target } from "../../../define/target.ts";
import { endedTask } from "../../../observations/ended-task.ts";
import { firstContact } from "../../../observations/first-contact.ts";
import { judgedCalls, sentCall, sentCalls } from "../../../observations/sent-calls.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { everyOperation, paramsFor, unknownTask } from "../../../observations/unknown-task.ts";
import { isForbidden } from "../../errors/expect.ts";
import { bodyOf, isEventStream, textOf } from "../bodies.ts";
import { below, extendedCardPath } from "./envelope.ts";

const statusOf = ({ exchange }: Call): number | undefined => exchange.http.response?.status;

const shown = (call: Call): string =>
  `HTTP ${statusOf(call) ?? "?"} ${brief(textOf(call.exchange.http.response?.body ?? new Uint8Array()), 120)}`;

export const listRoute = activeCheck("REST-004", {
  uses: { everyOperation },
  also: { sentMessage },
  judge({ everyOperation: asked, sentMessage: seen }, target) {
    const task = seen?.task;
    const one = sentCall(asked, ({ operation }) => operation === "ListTasks")!;
    const { call } = one;
    const details = { saw: shown(call), want: 'HTTP 200 with {"tasks": […]}', at: call };
    if (isForbidden(call, target) || isLogin(call)) return notApplicable("the caller is not allowed to list tasks");
    if (call.reply.is === "result") {
      const body = bodyOf(call);
      if (!body) return broken("GET /tasks does not return an object", details);
      if (Array.isArray(body["tasks"])) return holds();
      // ProtoJSON printers omit an empty list.
      if (body["tasks"] === undefined)
        return breach("empty-member-omitted", "the response of GET /tasks has no tasks member", details);
      return broken("tasks in the response of GET /tasks is not an array", details);
    }
    if (isUnknown(one, asked))
      return breach(
        task ? "operation-not-served" : "task-operation-unknown",
        "the agent does not serve GET /tasks",
        details,
      );
    if (isNamed(call, "UnsupportedOperation") && !task)
      return breach("task-operation-unsupported", "the agent does not support GET /tasks", details);
    return isInternal(call)
      ? crashed("GET /tasks returns an internal error", details)
      : broken("GET /tasks returns an error", details);
  },
});

export const cancelRoute = activeCheck("REST-005", {
  // An ended task that cannot be canceled shows the route too.
  requires: ["scenario:task"],
  uses: { endedTask },
  async judge({ endedTask: { task, canceled } }, target) {
    const status = statusOf(canceled);
    // Any A2A error shows that the agent looked at the task.
    if (!isA2A(canceled) && (status === 404 || status === 405))
      return breach("operation-not-served", `the agent does not serve POST ${below(target, "/tasks/{id}:cancel")}`, {
        saw: shown(canceled),
        want: "a Task, or TaskNotCancelableError",
        at: canceled,
      });
    const empty = await target.http("CancelTask", { id: task.id }, ({ body: _none, ...request }) => request);
    return statusOf(empty) === status ? holds() : holds("the agent refuses an empty body but accepts {}");
  },
});

export const subscribeRoute = activeCheck("REST-006", {
  requires: ["streaming", "scenario:task"],
  uses: { endedTask },
  async judge({ endedTask: { task } }, target): Promise<Finding> {
    const by = (method: "POST" | "GET"): Promise<Call> =>
      target.http(
        "SubscribeToTask",
        { id: task.id },
        ({ body, ...request }) => ({ ...request, method, ...(method === "POST" && body && { body }) }),
        { timeout: Math.max(target.grace, 10_000) },
      );
    const [post, get] = [await by("POST"), await by("GET")];
    const isServed = (call: Call): boolean => {
      const status = statusOf(call);
      return isA2A(call) || (status !== undefined && status !== 404 && status !== 405);
    };
    if (isServed(post))
      return holds(isServed(get) ? undefined : "the agent serves subscriptions with POST only; some clients use GET");
    const details = {
      saw: `POST: ${shown(post)}; GET: ${shown(get)}`,
      want: "POST /tasks/{id}:subscribe",
      at: [post, get],
    };
    if (isServed(get)) return breach("subscribe-by-get", "the agent serves subscriptions with GET only", details);
    return breach(
      "operation-not-served",
      `the agent does not serve ${below(target, "/tasks/{id}:subscribe")}`,
      details,
    );
  },
});

/** Any of these identifies a card; rules about cards judge missing members. */
const cardMembers = ["name", "skills", "capabilities", "supportedInterfaces"];

export const extendedCardRoute = activeCheck("REST-011", {
  uses: { everyOperation },
  judge({ everyOperation: asked }) {
    const one = sentCall(asked, ({ operation }) => operation === "GetExtendedAgentCard")!;
    const { call } = one;
    const details = { saw: shown(call), want: "a card, or UnsupportedOperationError", at: call };
    const route = `GET ${extendedCardPath(call)}`;
    if (isUnknown(one, asked)) return breach("operation-not-served", `the agent does not serve ${route}`, details);
    if (call.reply.is === "result" && !cardMembers.some((member) => member in (bodyOf(call) ?? {})))
      return broken(`the response of ${route} is not a card`, details);
    return holds();
  },
});

export const bothLabels = activeCheck("REST-015", {
  uses: { firstContact },
  async judge(_seen, target) {
    const [plain, ours] = await Promise.all(
      ["application/json", "application/a2a+json"].map((type) => sentAs(target, type)),
    );
    // Only an agent that read the body knows that its task does not exist.
    const isRead = (call: Call): boolean => isNamed(call, "TaskNotFound") || statusOf(call) === 404;
    const refused = [plain!, ours!].filter((call) => !isRead(call));
    if (refused.length === 0) return holds();
    if (refused.length === 2 || statusOf(plain!) === statusOf(ours!))
      return notExamined("not-triggered", "SendMessage to an unknown task does not return TaskNotFoundError");
    const [call] = refused as [Call];
    const label = call === plain ? "application/json" : "application/a2a+json";
    return broken(`the agent does not accept a body with Content-Type ${label}`, {
      saw: shown(call),
      want: "the same response for both content types",
      at: call,
    });
  },
});

const sentAs = (target: Target, type: string): Promise<Call> => {
  const change: HttpChange = (request) => ({
    ...request,
    headers: request.headers.map(([name, value]) => (/^content-type$/i.test(name) ? [name, type] : [name, value])),
  });
  return target.http("SendMessage", paramsFor(target, "SendMessage"), change, { refusable: true });
};

export const earlyStreamErrors = activeCheck("REST-034", {
  uses: { unknownTask },
  judge({ unknownTask: asked }) {
    const { call } = sentCall(asked, ({ operation }) => operation === "SendStreamingMessage")!;
    const details = { saw: shown(call), want: "HTTP 404 with the error body", at: call };
    const inForm = judgeForm(call, details);
    if (!isInternal(call)) return inForm;
    const message = "a stream that fails immediately returns an internal error";
    return [breach("internal-error-at-open", message, details), inForm];
  },
});

/** Judges how a stream reports a failure before its first event. */
function judgeForm(call: Call, details: Details): Finding {
  if (!isEventStream(call)) return holds();
  assertReadable(call);
  if (errorOf(call))
    return breach("error-in-stream", "the agent reports an immediate failure inside an event stream", details);
  if (call.reply.is === "stream" && call.reply.events.length > 0)
    return notApplicable("the agent accepts a message to an unknown task");
  return broken("the agent reports an immediate failure as an empty event stream", details);
}

export const brokenBodies = activeCheck("REST-035", {
  uses: { firstContact },
  async judge(_seen, target) {
    const bodies = [
      ['{"message":', "a body that is not JSON"],
      ["[]", "a body that is an array"],
    ] as const;
    const findings = await sentCalls(
      bodies.map(async ([body, what]): Promise<Finding> => {
        const change: HttpChange = (request) => ({ ...request, body: Buffer.from(body) });
        const call = await target.http("SendMessage", {}, change, { literal: true });
        const status = statusOf(call) ?? 0;
        const details = { saw: shown(call), want: "HTTP 400 with the error body", at: call };
        if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
        if (status >= 500) return crashed(`${what} returns HTTP ${status}`, details);
        if (status < 400) return broken(`${what} returns no error`, details);
        if (call.reply.is !== "error")
          return breach("unreadable-answer", `${what} returns HTTP ${status} without the error body`, details);
        if (status === 400) return holds();
        return breach("other-client-error", `${what} returns HTTP ${status}, expected 400`, details);
      }),
    );
    return judgedCalls(findings, (finding) => finding);
  },
});

export const idsInPaths = activeCheck("REST-036", {
  uses: { unknownTask },
  judge({ unknownTask: asked }, target) {
    const { call } = sentCall(asked, ({ operation }) => operation === "GetTask")!;
    if (isForbidden(call, target)) return notApplicable("the agent does not reveal whether a task exists");
    if (isNamed(call, "TaskNotFound") || (errorOf(call) && statusOf(call) === 400)) return holds();
    return breach(
      isPage(call) ? "page-not-found" : "broken",
      "the error for an unknown id in the path has no reason TASK_NOT_FOUND",
      answerOf(call, "HTTP 404 with reason TASK_NOT_FOUND"),
    );
  },
});
