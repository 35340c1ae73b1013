import type { JsonObject } from "@assay/protocol";
import type { Exchange, PeerInterface } from "@assay/wire";
import { asObject, asText } from "../answers/loose-json.ts";
import { registeredBy, tasksOf } from "../checks/client/passive/webhooks.ts";
import { delivery } from "../checks/push/delivery.ts";
import { bodies, labels } from "../checks/push/older.ts";
import type { ClientCall } from "../client/client-request.ts";
import type { ActiveCheck } from "../define/check.ts";
import type { Finding } from "../define/finding.ts";
import { type Notifications, type Notified, readNotification } from "../observations/notifications.ts";
import { concerns, ruleIn } from "../rules/catalogue.ts";

/** A webhook that a client registered through the proxy. */
interface WebhookRegistration {
  readonly call: ClientCall;
  readonly config: JsonObject;
  /** path and query of its address; the host has several names */
  readonly place: string;
  readonly tasks: readonly string[];
}

/** Number of remembered registrations. A proxy may run for days. */
const mostRemembered = 1_000;

/** The checks that one notification can show, without the others of its task. */
const shown: ReadonlySet<string> = new Set(["PUSH-020", "PUSH-022", "PUSH-023", "PUSH-024", "PUSH-025", "PUSH-027"]);
const checks = [...delivery, bodies, labels].filter(
  (check): check is ActiveCheck =>
    check.kind === "active" && (shown.has(check.id) || check === bodies || check === labels),
);

/** Returns the checks of notifications to webhooks that were registered over an interface. */
export const deliveryChecksFor = ({ dialect, binding }: PeerInterface): readonly ActiveCheck[] =>
  checks.filter(({ id }) => {
    const rule = ruleIn(dialect, id);
    return rule !== undefined && concerns(rule, binding);
  });

/** The findings of one check about a notification. */
interface DeliveryFindings {
  readonly check: ActiveCheck;
  readonly findings: readonly Finding[];
}

/** Remembers which webhooks clients registered, and judges the notifications that arrive there. */
export class WebhookRegistrations {
  readonly #all: WebhookRegistration[] = [];

  /** Takes a call that the agent accepted. Returns true if it registers a webhook. */
  learn(call: ClientCall): boolean {
    const config = registeredBy(call);
    const url = asText(config?.["url"]);
    if (!config || url === undefined || !URL.canParse(url)) return false;
    const { pathname, search } = new URL(url);
    this.#all.push({ call, config, place: `${pathname}${search}`, tasks: tasksOf(call) });
    if (this.#all.length > mostRemembered) this.#all.shift();
    return true;
  }

  /** `place`: path and query under which the agent called. Undefined if no client registered it through the proxy. */
  judge(
    exchange: Exchange,
    place: string,
  ): { readonly on: PeerInterface; readonly found: readonly DeliveryFindings[] } | undefined {
    const here = this.#all.filter((each) => each.place === place);
    const last = here.at(-1);
    if (!last) return undefined;
    const { on } = last.call;
    const { method, headers, body, bodyTruncated } = exchange.http.request;
    const { signal: gone } = new AbortController();
    const notification = readNotification({ at: 0, method, headers, body, cut: bodyTruncated, gone }, on);
    const { taskId } = notification;
    const own = here.filter(({ tasks }) => taskId !== undefined && tasks.includes(taskId));
    // Another task may have been registered before the proxy was there, so only its form can be judged.
    const isKnown = new Map([
      ["PUSH-024", own.length === 1],
      ["PUSH-027", own.length > 0 || taskId === undefined],
    ]);
    const seen = seenOf(own[0] ?? last, exchange, notification);
    return {
      on,
      found: deliveryChecksFor(on)
        .filter(({ id }) => isKnown.get(id) ?? true)
        .map((check) => ({ check, findings: [judgedBy(check, seen)].flat() })),
    };
  }
}

/** These judges are pure functions of the notifications. */
const judgedBy = (check: ActiveCheck, seen: Notifications): Finding | readonly Finding[] =>
  check.judge({ notifications: seen, atWebhooks: seen }, undefined as never) as Finding | readonly Finding[];

/** Returns one notification in the form of the observation, with the notification itself as evidence. */
function seenOf(
  { call, config, tasks }: WebhookRegistration,
  exchange: Exchange,
  notification: Notifications["all"][number],
): Notifications {
  const { on, reply } = call;
  const scheme = asText(asObject(config["authentication"])?.["scheme"]) ?? "";
  const notified: Notified = {
    taskId: notification.taskId !== undefined && tasks.includes(notification.taskId) ? notification.taskId : tasks[0]!,
    webhook: {
      given: config,
      box: undefined,
      call: { exchange, on, reply, said: reply, fair: true, streamed: false },
      config,
      id: asText(config["id"]) ?? "",
    },
    notifications: [notification],
  };
  const none = { configs: undefined, last: undefined, plain: undefined, lowerCase: undefined, doomed: undefined };
  return {
    ...none,
    bearer: /^bearer$/i.test(scheme) ? notified : undefined,
    basic: undefined,
    aliveAfterDeletion: 0,
    withToken: undefined,
    standing: [],
    heard: [notified],
    all: [notification],
  };
}
