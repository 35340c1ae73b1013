import type { JsonObject, Operation } from "@assay/protocol";
import { type Check, probe } from "../../check.ts";
import { isInternal, matches } from "../../expect-error.ts";
import { broken, crashed, type Finding, holds, notApplicable, odd } from "../../finding.ts";
import type { HttpChange, Lab } from "../../lab.ts";
import { contact } from "../../observations/contact.ts";
import { isTurnedAway } from "../../observations/login.ts";
import { inTenant, tenantsAt } from "../../observations/tenants.ts";
import { taskIdsIn } from "../../observations/trespass.ts";
import { ask, isClaimed, paramsFor } from "../../observations/unknown-task.ts";
import { describeReply, errorOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { worstOf } from "../../worst-of.ts";
import { tellsState } from "./tells-state.ts";

/** The tenant in body or query instead of the path, as the text can be read too (AMB-26). */
const beside =
  (tenant: string): HttpChange =>
  ({ body, url, ...request }) => {
    if (!body) return { ...request, url: `${url}${url.includes("?") ? "&" : "?"}tenant=${encodeURIComponent(tenant)}` };
    const json = JSON.parse(Buffer.from(body).toString("utf8")) as JsonObject;
    return { ...request, url, body: Buffer.from(JSON.stringify({ ...json, tenant })) };
  };

/** What is asked on each route: things that cost no work, with the same answer for every tenant. */
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

/** Whether there is anything of A2A at a route: an answer, or an error that speaks of what was asked. */
function isRouted(talk: Talk): boolean {
  if (talk.reply.is === "result" || talk.reply.is === "stream") return true;
  if (talk.reply.is !== "error") return false;
  // A router's own 404 may look like an error of A2A, but it names no reason.
  return talk.reply.error.reason !== undefined
    ? talk.reply.error.reason !== "METHOD_NOT_FOUND"
    : ![404, 405, 501].includes(talk.reply.error.http);
}

export const tenants: readonly Check[] = [
  probe({
    id: "TEN-003",
    title: "requests for a tenant that the card names are served",
    remedy: "Accept the tenant of the card's interface in every request: in the path over HTTP+JSON, else as a member.",
    uses: { inTenant },
    async probe({ inTenant: { talk, served, tenants: named } }, lab) {
      if (served) return holds();
      const saw = describeReply(talk);
      if (lab.on.binding === "HTTP+JSON") {
        const other = await lab
          .under(undefined)
          .http("SendMessage", { message: lab.message("task") as unknown as JsonObject }, beside(named[0]!), {
            refusable: true,
          });
        // Where it belongs is the business of the rule about paths.
        if (other.reply.is === "result") return holds("the tenant is read from the body only");
      }
      return (isInternal(talk) ? crashed : broken)("a message for a tenant that the card names is refused", {
        saw,
        want: "an answer, as without a tenant",
        at: talk,
      });
    },
  }),

  probe({
    id: "TEN-004",
    title: "every operation is reached with the tenant in the path",
    remedy:
      "Serve each path also with the tenant as its first segment: /{tenant}/message:send, /{tenant}/tasks/{id}, …",
    bindings: ["HTTP+JSON"],
    uses: { contact },
    async probe(_seen, lab) {
      const [tenant] = tenantsAt(lab);
      if (tenant === undefined) return notApplicable("the card names no tenant at this address");
      const there = lab.under(tenant);
      const claimed = routes.filter((operation) => isClaimed(operation, lab));
      const tried = await Promise.all(
        claimed.map(async (operation) => {
          const params = paramsFor(lab, operation);
          const talk = await ask(there, operation, params);
          // Where the plain path is answered in the same way, the answer does not come from a missing route.
          return { operation, talk, routed: isRouted(talk) || sameAnswer(talk, await ask(lab, operation, params)) };
        }),
      );
      const missing = tried.filter(({ routed }) => !routed);
      if (missing.length === 0) return holds();
      const at = missing.map(({ talk }) => talk);
      const want = `${lab.on.url}/{tenant}/… for every operation`;
      const names = missing.map(({ operation }) => operation).join(", ");
      if (missing.length === tried.length && (await worksBeside(lab, tenant))) {
        return odd("the tenant is not read from the path, only from body or query", { saw: names, want, at });
      }
      return broken("not every operation is reached with the tenant in the path", {
        saw: `missing: ${names}`,
        want,
        at,
      });
    },
  }),

  probe({
    id: "TEN-005",
    title: "a tenant that does not exist is not served",
    remedy: "Refuse a tenant that no interface of the card names, as not found or invalid.",
    uses: { contact },
    async probe(_seen, lab) {
      if (tenantsAt(lab).length === 0) return notApplicable("the card names no tenant at this address");
      const talk = await lab.under(`no-such-tenant-${lab.unknownId().slice(0, 8)}`).call("ListTasks", { pageSize: 1 });
      const details = { saw: describeReply(talk), want: "an error: not found, or invalid", at: talk };
      if (talk.reply.is === "result") return broken("a tenant that does not exist is served like any other", details);
      return isInternal(talk) ? crashed("a tenant that does not exist breaks the agent down", details) : holds();
    },
  }),

  probe({
    id: "TEN-006",
    title: "tasks of one tenant are not seen by another",
    remedy: "Keep the tenant with each task, and look tasks up within the tenant of the request.",
    uses: { inTenant },
    async probe({ inTenant: { tenants: named, task } }, lab) {
      const [, other] = named;
      if (other === undefined) return notApplicable("the card names one tenant at this address");
      if (!task) return notApplicable("no task was made for a tenant");
      const there = lab.under(other);
      const { id } = task;
      const get = await there.call("GetTask", { id });
      const list = await there.call("ListTasks", {});
      const cancel = await there.call("CancelTask", { id });
      const findings = [refused("GetTask", get), refused("CancelTask", cancel)];
      if (taskIdsIn(list).includes(id)) {
        findings.push(broken("a task of one tenant is listed under another", { want: "only its own tasks", at: list }));
      }
      return worstOf("TEN-006", findings, lab);
    },
  }),

  probe({
    id: "TEN-008",
    title: "an interface without a tenant asks for none",
    remedy: "Treat tenant as optional where the card names none.",
    uses: { contact },
    async probe(_seen, lab) {
      if (lab.on.tenant !== undefined) return notApplicable("the interface has a tenant");
      for (const operation of routes.filter((each) => isClaimed(each, lab))) {
        const talk = await ask(lab, operation, paramsFor(lab, operation));
        const error = errorOf(talk);
        if (error && /tenant/i.test(`${error.message} ${JSON.stringify(error.details)}`)) {
          return broken("an interface that the card gives no tenant asks for one", {
            saw: describeReply(talk),
            want: "an answer without a tenant",
            at: talk,
          });
        }
      }
      return holds();
    },
  }),
];

function refused(operation: Operation, talk: Talk): Finding {
  const details = { saw: describeReply(talk), want: "TaskNotFoundError", at: talk };
  if (matches(talk, "TaskNotFound") || isTurnedAway(talk)) return holds();
  if (isInternal(talk)) return crashed(`${operation} on a task of another tenant breaks down`, details);
  if (talk.reply.is === "result") return broken(`${operation} is served on a task of another tenant`, details);
  return tellsState(talk)
    ? broken(`the error of ${operation} shows that a task of another tenant exists`, details)
    : holds();
}

const sameAnswer = (a: Talk, b: Talk): boolean =>
  a.reply.is === b.reply.is && errorOf(a)?.http === errorOf(b)?.http && errorOf(a)?.reason === errorOf(b)?.reason;

async function worksBeside(lab: Lab, tenant: string): Promise<boolean> {
  const talk = await lab.under(undefined).http("ListTasks", {}, beside(tenant));
  return talk.reply.is === "result";
}
