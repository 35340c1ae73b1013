import { asObject, asText, brief } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { type Notification, notifications } from "../../observations/notifications.ts";

const want = 'the task: {"kind": "task", "id": …, "contextId": …, "status": {…}}';

/** What was too large to be kept says nothing. */
const whole = (all: readonly Notification[]): Notification[] => all.filter(({ delivery }) => !delivery.cut);

/** The guide leaves the body to the server; the example is all there is, and clients of the time were built on it. */
export const bodies = activeCheck({
  id: "V03-PUSH-001",
  title: "a notification is the task itself",
  remedy:
    'Post the Task with its kind as the JSON that tasks/get answers with: {"kind": "task", "id": …, "status": …}.',
  uses: { notifications },
  judge({ notifications: { all, heard } }) {
    const findings = whole(all).map(({ delivery, json }): Finding => {
      const details = { saw: brief(Buffer.from(delivery.body).toString("utf8")), want, at: heard[0]!.webhook.call };
      if (!json) return broken("what is posted to webhooks is no JSON object", details);
      if ("jsonrpc" in json)
        return breach("wrapped-in-json-rpc", "notifications are wrapped in a JSON-RPC response", details);
      const kind = asText(json["kind"]);
      if (kind === "task")
        return asObject(json["status"]) ? holds() : breach("status-missing", "a notified task has no status", details);
      if (kind !== undefined && events.includes(kind)) return holds("webhooks are told of events instead of the task");
      if (wrapped.some((member) => asObject(json[member])))
        return breach(
          "form-of-1.0",
          "notifications are written as in 1.0, although the webhook was registered in an older version",
          details,
        );
      return breach("kind-missing", "what is posted to webhooks does not say that it is a task", details);
    });
    return findings.length ? findings : [holds()];
  },
});

const events = ["status-update", "artifact-update", "message"];
const wrapped = ["task", "message", "statusUpdate", "artifactUpdate"];

export const labels = activeCheck({
  id: "V03-PUSH-003",
  title: "notifications are labelled application/json",
  remedy: "Send Content-Type: application/json with notifications.",
  uses: { notifications },
  judge({ notifications: { all, heard } }) {
    const given = all.map(
      ({ delivery }) => delivery.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? "nothing",
    );
    const wrong = given.find((label) => !/^application\/json\s*(;|$)/i.test(label));
    if (wrong === undefined) return holds();
    const details = { saw: `Content-Type: ${brief(wrong, 80)}`, want: "application/json", at: heard[0]!.webhook.call };
    return /[/+]json\s*(;|$)/i.test(wrong)
      ? breach("other-json-label", "notifications have another label than application/json", details)
      : broken("notifications are not labelled as JSON", details);
  },
});
