import { isObject, type JsonObject, validateDialect } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, crashed, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { pushDelivered, pushInline, pushSet } from "../../observations/older.ts";
import type { WebhookDelivery } from "../../webhook/receiver.ts";
import { jsonOf, textOf } from "../bindings/bodies.ts";

/** Checks that a response is the configuration that was set, with its task id and address. */
function isThere(call: Call, method: string, taskId: string, url: string): Finding {
  const details = answerOf(call, "id and pushNotificationConfig with the url that was set");
  if (isInternal(call)) return crashed(`${method} returns an internal error`, details);
  if (call.reply.is === "failure") return crashed(`${method} gets no response`, details);
  if (call.said.is !== "result") return broken(`${method} returns an error`, details);
  const shown = asObject(call.said.json);
  const shape = validateDialect("0.1", "TaskPushNotificationConfig", shown ?? null);
  const [fault] = shape.filter(({ code, path }) => code !== "null" || !/\.(credentials|token)$/.test(path));
  if (fault)
    return broken(`the response of ${method} is not a TaskPushNotificationConfig`, { ...details, saw: brief(shown) });
  if (shown?.["id"] !== taskId)
    return broken(`the response of ${method} has the id of another task`, { ...details, saw: brief(shown) });
  if (asObject(shown["pushNotificationConfig"])?.["url"] !== url)
    return broken(`the response of ${method} has a different url than was set`, { ...details, saw: brief(shown) });
  return holds();
}

export const isConfirmed = activeCheck("V01-PUSH-001", {
  uses: { pushSet },
  judge: ({ pushSet: { set, taskId, url } }) => isThere(set, "tasks/pushNotification/set", taskId, url),
});

export const isKept = activeCheck("V01-PUSH-002", {
  uses: { pushSet },
  judge({ pushSet: { set, got, taskId, url } }) {
    if (set.reply.is !== "result") return notApplicable("the agent rejected the configuration");
    return isThere(got, "tasks/pushNotification/get", taskId, url);
  },
});

export const isCalled = activeCheck("V01-PUSH-003", {
  uses: { pushDelivered },
  judge({ pushDelivered: { deliveries, set } }) {
    if (set.reply.is !== "result") return notApplicable("the agent rejected the configuration");
    if (deliveries.length === 0) {
      return broken("the agent sends no notification to the webhook of a task", {
        saw: "no POST until long after the end of the task",
        want: "at least one POST",
        at: set,
      });
    }
    const other = deliveries.find(({ method }) => method !== "POST");
    return other
      ? broken(`the agent calls the webhook of a task with ${other.method}`, { want: "POST", at: set })
      : holds();
  },
});

export const bringsTheToken = activeCheck("V01-PUSH-004", {
  uses: { pushDelivered },
  judge({ pushDelivered: { deliveries, set, token } }) {
    if (deliveries.length === 0) return notApplicable("the agent sent no notification");
    // The name of the header is only a suggestion.
    const without = deliveries.find(({ headers }) => !headers.some(([, value]) => value.includes(token)));
    if (!without) return holds();
    return broken("a notification does not have the token of its configuration", {
      saw: brief(without.headers.map(([name]) => name)),
      want: "X-A2A-Notification-Token with the token that was set",
      at: set,
    });
  },
});

export const namesTheTask = activeCheck("V01-PUSH-005", {
  uses: { pushDelivered },
  judge({ pushDelivered: { deliveries, set, taskId } }) {
    const whole = deliveries.filter(({ cut }) => !cut);
    if (whole.length === 0) return notApplicable("the agent sent no notification");
    const other = whole.find((delivery) => !tells(delivery, taskId));
    if (!other) return holds();
    return broken("a notification has no task id or no status", {
      saw: brief(textOf(other.body)),
      want: `the id ${brief(taskId, 60)} and a status`,
      at: set,
    });
  },
});

/** Accepts any form, because the agent defines the payload. An artifact event has no status. */
function tells({ body }: WebhookDelivery, taskId: string): boolean {
  const json = jsonOf(body);
  if (!isObject(json)) return false;
  const all = objectsIn(json as JsonObject, 3);
  const isNamed = all.some((object) => [object["id"], object["taskId"]].includes(taskId));
  return isNamed && all.some((object) => asText(object["state"]) !== undefined || isObject(object["artifact"]));
}

const objectsIn = (json: JsonObject, depth: number): JsonObject[] => [
  json,
  ...(depth === 0 ? [] : Object.values(json).flatMap((value) => objectsIn(asObject(value) ?? {}, depth - 1))),
];

export const takesItAlong = activeCheck("V01-PUSH-006", {
  uses: { pushInline },
  judge({ pushInline: { deliveries, call } }) {
    if (deliveries.length > 0) return holds();
    return broken("the agent ignores the push configuration in a message", {
      saw: "no POST until long after the end of the task",
      want: "a notification at the webhook in the message",
      at: call,
    });
  },
});
