import { asObject, asText } from "../../answers/loose-json.ts";
import { hasOperation } from "../../answers/operations-of.ts";
import { resultOf } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { failingWebhook, muteWebhook } from "../../observations/failing-webhooks.ts";
import { notifications } from "../../observations/notifications.ts";
import { pushConfigs, type Registered } from "../../observations/push-configs.ts";
import type { WebhookDelivery } from "../../webhook/receiver.ts";

/** More copies of a notification than this in a short time are a flood, not a retry. */
const bearable = 10;

const pausesBetween = (attempts: readonly WebhookDelivery[]): number[] =>
  attempts.slice(1).map(({ at }, index) => at - attempts[index]!.at);

/** Judges notifications to failing webhooks, on one binding only, because all share one sender. */
export const outOfOrder: readonly Check[] = [
  activeCheck("PUSH-031", {
    uses: { failingWebhook },
    once: true,
    judge({ failingWebhook: { call, attempts } }) {
      if (attempts.length < 2) {
        return breach("not-sent-again", "the agent does not resend a notification after a 503", {
          want: "another POST after a pause",
          at: call,
        });
      }
      const pauses = pausesBetween(attempts);
      const isEven = pauses.length > 2 && Math.max(...pauses.slice(1)) < 1.3 * pauses[0]!;
      return isEven ? holds("the agent resends a failed notification at even intervals", call) : holds();
    },
  }),

  activeCheck("PUSH-032", {
    requires: ["pushNotifications", "scenario:long", "publicWebhook", "patience"],
    uses: { muteWebhook },
    once: true,
    judge({ muteWebhook: { call, gaveUp, heldUp } }) {
      const want = "a timeout of 10 to 30 seconds, and a task that continues";
      if (heldUp) return broken("a webhook that does not respond blocks its task", { want, at: call });
      if (!gaveUp)
        return broken("the agent waits more than a minute for a webhook that does not respond", { want, at: call });
      return holds();
    },
  }),

  activeCheck("PUSH-033", {
    uses: { failingWebhook },
    once: true,
    judge: ({ failingWebhook: { call, attempts } }) =>
      attempts.length > bearable
        ? broken(`the agent sends the same notification to a failing webhook more than ${bearable} times in a row`, {
            saw: `${attempts.length} times`,
            at: call,
          })
        : holds(),
  }),
];

/**
 * An agent in production should not call a webhook on this machine unless the operator wants that (AMB-19). Assay's
 * receiver is the only private address it may use.
 */
export const privateWebhooks = activeCheck("PUSH-034", {
  requires: ["production", "pushNotifications", "scenario:long"],
  uses: { pushConfigs },
  also: { notifications },
  judge({ pushConfigs: { plain } }, { webhook }) {
    if (!webhook)
      return notExamined("webhook", "the agent is not on this machine, so it cannot call the local webhook");
    if (webhook.declared) return notApplicable("the operator set the webhook address");
    const posted = plain.box?.deliveries[0];
    if (!posted) return holds();
    return breach("private-address-called", "the agent calls a webhook on a private address", {
      saw: `${posted.method} by the agent`,
      want: "no requests to loopback or private addresses",
      at: plain.call,
    });
  },
});

const secretOf = ({ given, id }: Registered): string[] =>
  id === undefined ? [] : [asText(asObject(given["authentication"])?.["credentials"]) ?? []].flat();

export const keepsSecrets = activeCheck("PUSH-035", {
  uses: { pushConfigs },
  async judge({ pushConfigs: { taskId, bearer, basic } }, target) {
    const secrets = [bearer, basic].flatMap(secretOf);
    if (secrets.length === 0)
      return notExamined("not-triggered", "the agent accepted no push configuration with credentials");
    const calls = [
      await target.call("GetTask", { id: taskId }),
      ...(hasOperation(target.on, "ListTasks") ? [await target.call("ListTasks", { includeArtifacts: true })] : []),
    ];
    const telling = calls.find((call) => {
      const told = JSON.stringify(resultOf(call) ?? null);
      return secrets.some((secret) => told.includes(secret));
    });
    if (!telling) return holds();
    return broken(`${telling.operation} returns the credentials of a push configuration`, {
      want: "credentials only in responses about push configurations",
      at: telling,
    });
  },
});
