import { asObject, asText } from "../../answers/loose-json.ts";
import { hasOperation } from "../../answers/operations-of.ts";
import { resultOf } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { failingWebhook, muteWebhook } from "../../observations/failing-webhooks.ts";
import { notifications } from "../../observations/notifications.ts";
import { pushConfigs, type Registered } from "../../observations/push-configs.ts";
import type { WebhookDelivery } from "../../webhook/receiver.ts";

/** The same notification more often than this within a moment is no retry, but a flood. */
const bearable = 10;

const pausesBetween = (attempts: readonly WebhookDelivery[]): number[] =>
  attempts.slice(1).map(({ at }, index) => at - attempts[index]!.at);

/** How notifications fare whose webhook is in trouble: the same sender on every binding, so one is asked. */
const outOfOrder: readonly Check[] = [
  activeCheck({
    id: "PUSH-031",
    uses: { failingWebhook },
    once: true,
    judge({ failingWebhook: { call, attempts } }) {
      if (attempts.length < 2) {
        return breach("not-sent-again", "a notification that is answered with 503 is not sent again", {
          want: "another POST after a pause",
          at: call,
        });
      }
      const pauses = pausesBetween(attempts);
      const isEven = pauses.length > 2 && Math.max(...pauses.slice(1)) < 1.3 * pauses[0]!;
      return isEven ? holds("a notification that fails is sent again at even intervals", call) : holds();
    },
  }),

  activeCheck({
    id: "PUSH-032",
    requires: ["pushNotifications", "scenario:long", "publicWebhook", "patience"],
    uses: { muteWebhook },
    once: true,
    judge({ muteWebhook: { call, gaveUp, heldUp } }) {
      const want = "a time-out of 10 to 30 seconds, and a task that goes on";
      if (heldUp) return broken("a webhook that does not answer holds up its task", { want, at: call });
      if (!gaveUp)
        return broken("a webhook that does not answer is waited for longer than a minute", { want, at: call });
      return holds();
    },
  }),

  activeCheck({
    id: "PUSH-033",
    uses: { failingWebhook },
    once: true,
    judge: ({ failingWebhook: { call, attempts } }) =>
      attempts.length > bearable
        ? broken(`a webhook that keeps failing is sent the same notification more than ${bearable} times in a row`, {
            saw: `${attempts.length} times`,
            at: call,
          })
        : holds(),
  }),
];

/**
 * Where the operator did not say that a webhook on this machine is wanted, an agent in production should not call one (AMB-19). Our
 * own receiver is the only private address we may name.
 */
const privateWebhooks = activeCheck({
  id: "PUSH-034",
  requires: ["production", "pushNotifications", "scenario:long"],
  uses: { pushConfigs },
  also: { notifications },
  judge({ pushConfigs: { plain } }, { webhook }) {
    if (!webhook) return notExamined("webhook", "the agent is not on this machine, where it could call us");
    if (webhook.declared) return notApplicable("the operator named the address of the webhook");
    const posted = plain.box?.deliveries[0];
    if (!posted) return holds();
    return breach("private-address-called", "a webhook on a private address is called", {
      saw: `${posted.method} by the agent`,
      want: "no request to loopback and private addresses",
      at: plain.call,
    });
  },
});

const secretOf = ({ given, id }: Registered): string[] =>
  id === undefined ? [] : [asText(asObject(given["authentication"])?.["credentials"]) ?? []].flat();

const keepsSecrets = activeCheck({
  id: "PUSH-035",
  uses: { pushConfigs },
  async judge({ pushConfigs: { taskId, bearer, basic } }, target) {
    const secrets = [bearer, basic].flatMap(secretOf);
    if (secrets.length === 0) return notExamined("not-triggered", "no push configuration with credentials was taken");
    const calls = [
      await target.call("GetTask", { id: taskId }),
      ...(hasOperation(target.on, "ListTasks") ? [await target.call("ListTasks", { includeArtifacts: true })] : []),
    ];
    const telling = calls.find((call) => {
      const told = JSON.stringify(resultOf(call) ?? null);
      return secrets.some((secret) => told.includes(secret));
    });
    if (!telling) return holds();
    return broken(`${telling.operation} shows the credentials of a push configuration`, {
      want: "credentials in answers about push configurations alone",
      at: telling,
    });
  },
});

export const webhookChecks: readonly Check[] = [...outOfOrder, privateWebhooks, keepsSecrets];
