import { activeCheck } from "../../define/check.ts";
import { breach, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { notifications } from "../../observations/notifications.ts";
import { pushConfigs } from "../../observations/push-configs.ts";

/**
 * Where the operator did not say that a webhook on this machine is wanted, an agent in production should not call one (AMB-19). Our
 * own receiver is the only private address we may name.
 */
export const privateWebhooks = activeCheck({
  id: "PUSH-034",
  title: "webhooks on private addresses are not called",
  remedy: "Resolve the address of a webhook before you call it, and refuse loopback, link-local and private ones.",
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
