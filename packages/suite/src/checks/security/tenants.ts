import type { JsonObject, Operation } from "@assay/protocol";
import { isNamed } from "../../answers/error-names.ts";
import { isInternal, matches } from "../../answers/expect-error.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { HttpChange, Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { isTurnedAway } from "../../observations/login.ts";
import { taskIdsIn } from "../../observations/principals.ts";
import { sendParams } from "../../observations/sending.ts";
import { judgedCalls } from "../../observations/sent-calls.ts";
import { inTenant, tenantsAt } from "../../observations/tenants.ts";
import { ask, everyOperation, isClaimed, paramsFor } from "../../observations/unknown-task.ts";
import { tellsState } from "./isolation.ts";

/** Puts the tenant in body or query instead of the path, which is another reading of the text (AMB-26). */
const beside =
  (tenant: string): HttpChange =>
  ({ body, url, ...request }) => {
    if (!body) return { ...request, url: `${url}${url.includes("?") ? "&" : "?"}tenant=${encodeURIComponent(tenant)}` };
    const json = JSON.parse(Buffer.from(body).toString("utf8")) as JsonObject;
    return { ...request, url, body: Buffer.from(JSON.stringify({ ...json, tenant })) };
  };

/** Free calls with the same response for every tenant, one for each route. */
const routes: readonly Operation[] = [
  "GetTask",
  "ListTasks",
  "CancelTask",
  "SubscribeToTask",
  "SendMessage",
  "SendStreamingMessage",
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
];

/** Returns true if A2A responds at a route: a result, or an error about the request. */
function isRouted(call: Call): boolean {
  if (call.reply.is === "result" || call.reply.is === "stream") return true;
  if (call.reply.is !== "error") return false;
  // A router's own 404 may look like an A2A error, but has no reason.
  return call.reply.error.reason !== undefined
    ? call.reply.error.reason !== "METHOD_NOT_FOUND"
    : ![404, 405, 501].includes(call.reply.error.http);
}

export const tenants: readonly Check[] = [
  activeCheck("TEN-003", {
    uses: { inTenant },
    async judge({ inTenant: { call, served, control, tenants: named } }, target) {
      if (served) return holds();
      const saw = describeReply(call);
      if ((!control && !isInternal(call)) || isNamed(call, "InvalidAgentResponse"))
        return notExamined("unstable", `the same message fails without a tenant too: ${saw}`);
      if (target.on.binding === "HTTP+JSON") {
        const other = await target
          .under(undefined)
          .http("SendMessage", sendParams(target), beside(named[0]!), { refusable: true });
        // The rule about paths judges where the tenant belongs.
        if (other.reply.is === "result") return holds("the agent reads the tenant only from the body");
      }
      return (isInternal(call) ? crashed : broken)("the agent refuses a message for a tenant on the card", {
        saw,
        want: "a response, as without a tenant",
        at: control ? [call, control] : call,
      });
    },
  }),

  activeCheck("TEN-004", {
    bindings: ["HTTP+JSON"],
    uses: { firstContact },
    also: { inTenant },
    async judge({ inTenant: sent }, target) {
      const [tenant] = tenantsAt(target);
      if (tenant === undefined) return notApplicable("the card has no tenant at this address");
      const there = target.under(tenant);
      const plain = target.under(undefined);
      const claimed = routes.filter((operation) => isClaimed(operation, target));
      const tried = await Promise.all(
        claimed.map(async (operation) => {
          const params = paramsFor(target, operation);
          const call = await ask(there, operation, params);
          // A message that works only without the tenant proves a missing route.
          if (operation === "SendMessage" && sent?.control && !isRouted(sent.call))
            return { operation, call: sent.call, routed: false };
          // If the plain path gives the same response, a missing route is not the reason.
          return { operation, call, routed: isRouted(call) || sameAnswer(call, await ask(plain, operation, params)) };
        }),
      );
      const missing = tried.filter(({ routed }) => !routed);
      if (missing.length === 0) return holds();
      const at = missing.map(({ call }) => call);
      const want = `${target.on.url}/{tenant}/… for every operation`;
      const names = missing.map(({ operation }) => operation).join(", ");
      if (missing.length === tried.length && (await worksBeside(target, tenant))) {
        return breach("tenant-beside-path", "the agent reads the tenant only from body or query, not from the path", {
          saw: names,
          want,
          at,
        });
      }
      return broken("some operations are not served with the tenant in the path", {
        saw: `missing: ${names}`,
        want,
        at,
      });
    },
  }),

  activeCheck("TEN-005", {
    uses: { firstContact },
    async judge(_seen, target) {
      if (tenantsAt(target).length === 0) return notApplicable("the card has no tenant at this address");
      // Another agent at this address may answer it, so it shows nothing about other rules.
      const call = await target
        .under(`no-such-tenant-${target.unknownId().slice(0, 8)}`)
        .call("ListTasks", { pageSize: 1 }, { fair: false });
      const details = answerOf(call, "an error: not found, or invalid");
      if (call.reply.is === "result") return broken("the agent serves an unknown tenant", details);
      return isInternal(call) ? crashed("an unknown tenant causes an internal error", details) : holds();
    },
  }),

  activeCheck("TEN-006", {
    uses: { inTenant },
    async judge({ inTenant: { tenants: named, task } }, target) {
      const [, other] = named;
      if (other === undefined) return notApplicable("the card has only one tenant at this address");
      if (!task) return notApplicable("the run has no task of a tenant");
      const there = target.under(other);
      const { id } = task;
      const get = await there.call("GetTask", { id });
      const list = await there.call("ListTasks", {});
      const cancel = await there.call("CancelTask", { id });
      const findings = [refused("GetTask", get), refused("CancelTask", cancel)];
      if (taskIdsIn(list).includes(id)) {
        findings.push(broken("ListTasks returns a task of another tenant", { want: "only its own tasks", at: list }));
      }
      return findings;
    },
  }),

  activeCheck("TEN-008", {
    uses: { everyOperation },
    judge({ everyOperation: asked }, target) {
      if (target.on.tenant !== undefined) return notApplicable("the interface has a tenant");
      return judgedCalls(asked, ({ operation, call }) => {
        const error = isClaimed(operation, target) ? errorOf(call) : undefined;
        return error && /tenant/i.test(`${error.message} ${JSON.stringify(error.details)}`)
          ? broken(
              "an interface without a tenant on the card requires one",
              answerOf(call, "a response without a tenant"),
            )
          : holds();
      });
    },
  }),
];

function refused(operation: Operation, call: Call): Finding {
  const details = answerOf(call, "TaskNotFoundError");
  if (matches(call, "TaskNotFound") || isTurnedAway(call)) return holds();
  if (isInternal(call)) return crashed(`${operation} on a task of another tenant returns an internal error`, details);
  if (call.reply.is === "result") return broken(`${operation} serves a task of another tenant`, details);
  return tellsState(call)
    ? broken(`the error of ${operation} reveals that another tenant's task exists`, details)
    : holds();
}

const sameAnswer = (a: Call, b: Call): boolean =>
  a.reply.is === b.reply.is && errorOf(a)?.http === errorOf(b)?.http && errorOf(a)?.reason === errorOf(b)?.reason;

async function worksBeside(target: Target, tenant: string): Promise<boolean> {
  const call = await target.under(undefined).http("ListTasks", {}, beside(tenant));
  return call.reply.is === "result";
}
