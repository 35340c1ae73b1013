import { isTaskState, type JsonObject, validate } from "@assay/protocol";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, isEnded } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import {
  atWebhooks,
  type Notification,
  type Notifications,
  type Notified,
  notifications,
  quietAfterDeletionMs,
  silence,
} from "../../observations/notifications.ts";
import type { PushConfigs } from "../../observations/push-configs.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import type { WebhookDelivery } from "../../webhook/receiver.ts";
import { tooShort, whileAlive } from "./excuses.ts";
import { snakeCased } from "./snake-cased.ts";

const field = ({ headers }: WebhookDelivery, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

const bodyOf = ({ body }: WebhookDelivery): string => brief(Buffer.from(body).toString("utf8"));

/** Drops notifications that were too large to keep. */
export const whole = (all: readonly Notification[]): Notification[] => all.filter(({ delivery }) => !delivery.cut);

const members = ["task", "message", "statusUpdate", "artifactUpdate"] as const;

/** A message may come without its task. PUSH-022 judges a body that is not a StreamResponse. */
const namesTask = (event: JsonObject): boolean =>
  !event["message"] && members.some((name) => asObject(event[name]) !== undefined);

export const delivery: readonly Check[] = [
  activeCheck("PUSH-017", {
    uses: { notifications },
    judge({ notifications: { configs, doomed, last, aliveAfterDeletion } }) {
      if (!configs || !doomed) return tooShort;
      const { deletion } = configs;
      if (!configs.outlived || !isEnded(last?.state)) return tooShort;
      if (deletion?.call.reply.is !== "result") return notApplicable("the agent deleted no configuration");
      // An earlier notification may have been on its way; only the end counts, if it came later.
      const late = doomed.notifications.find(({ state }) => isEnded(state));
      if (late && aliveAfterDeletion < quietAfterDeletionMs) return tooShort;
      if (!late) return holds();
      return broken("the agent notifies a deleted webhook of the end of its task", {
        saw: bodyOf(late.delivery),
        want: "no notification after the deletion",
        at: deletion.call,
      });
    },
  }),

  activeCheck("PUSH-020", {
    uses: { atWebhooks },
    judge({ atWebhooks: seen }) {
      const { message, ...details } = silence;
      if (seen.all.length === 0) return broken(message, { ...details, at: seen.heard[0]!.webhook.call });
      const other = seen.all.find(({ delivery: { method } }) => method !== "POST");
      return other
        ? broken(`the agent calls webhooks with ${other.delivery.method}`, {
            want: "POST",
            at: registering(seen, other),
          })
        : holds();
    },
  }),

  activeCheck("PUSH-021", {
    uses: { notifications },
    judge({ notifications: { configs, standing } }) {
      if (configs && configs.bearer.id === configs.plain.id)
        return notApplicable("the agent keeps only one webhook per task");
      if (standing.length < 2) return tooShort;
      const silent = standing.filter((each) => each.notifications.length === 0);
      if (!silent.length) return holds();
      return broken("the agent does not notify all webhooks of a task", {
        saw: `${standing.length - silent.length} of ${standing.length} webhooks notified`,
        want: "at least one POST to each",
        at: silent.map(({ webhook }) => webhook.call),
      });
    },
  }),

  activeCheck("PUSH-022", {
    uses: { notifications },
    judge({ notifications: seen }) {
      for (const notification of whole(seen.all)) {
        const { delivery: posted, event } = notification;
        const found = members.filter((name) => event?.[name] !== undefined && event[name] !== null);
        const want = `exactly one of ${members.join(", ")}`;
        const details = { saw: bodyOf(posted), want, at: registering(seen, notification) };
        if (!event) return broken("the body of a notification is not a JSON object", details);
        if (found.length !== 1) {
          const count = found.length === 0 ? "none" : "several";
          return broken(`a notification has ${count} of task, message, statusUpdate and artifactUpdate`, details);
        }
        if (!asObject(event[found[0]!])) return broken(`${found[0]} in a notification is not an object`, details);
      }
      return holds();
    },
  }),

  activeCheck("PUSH-023", {
    uses: { notifications },
    also: { sentMessage },
    judge({ notifications: seen, sentMessage: sent }) {
      for (const notification of whole(seen.all)) {
        const { delivery: posted, json } = notification;
        if (!json) continue;
        const details = {
          saw: bodyOf(posted),
          want: "a StreamResponse in camelCase, not wrapped",
          at: registering(seen, notification),
        };
        if ("jsonrpc" in json) return broken("the agent wraps notifications in a JSON-RPC response", details);
        const wrong = snakeCased(json);
        if (wrong !== undefined) return broken(`notifications have members in snake_case, such as ${wrong}`, details);
        const violations = validate("StreamResponse", json).filter(({ path }) => path.endsWith(".state"));
        if (violations.length && !isTaskState(sent?.task?.state ?? "TASK_STATE_UNSPECIFIED"))
          return notExamined("prerequisite", "responses have the same invalid task states");
        if (violations.length) return broken("a notification has a task state that is not an enum name", details);
      }
      return holds();
    },
  }),

  activeCheck("PUSH-024", {
    uses: { notifications },
    judge({ notifications: { plain, bearer, lowerCase, basic } }) {
      if (bearer?.webhook.id === undefined)
        return notApplicable("the agent accepts no configuration with Bearer credentials");
      if (bearer.notifications.length === 0) return notApplicable("the webhook with credentials got no notification");
      const wrong = credentialsShown(bearer, "Bearer");
      if (wrong) return wrong;
      const lent = plain?.notifications.some(({ delivery: posted }) =>
        [bearer, lowerCase, basic].some((other) => other && isOf(other, field(posted, "authorization"))),
      );
      if (plain && lent) {
        return broken("the agent sends a webhook the credentials of another one", {
          saw: "Authorization with the credentials of another configuration",
          want: "no credentials, because its configuration has none",
          at: plain.webhook.call,
        });
      }
      for (const { delivery: posted } of basic?.notifications ?? []) {
        const [scheme = "", value = ""] = (field(posted, "authorization") ?? "").split(/\s+/, 2);
        if (value === asObject(basic!.webhook.given["authentication"])?.["credentials"] && !/^basic$/i.test(scheme)) {
          return broken("the agent sends credentials with a scheme other than the configured one", {
            saw: `Authorization: ${scheme} … for the scheme Basic`,
            want: "Authorization: Basic <credentials>",
            at: basic!.webhook.call,
          });
        }
      }
      return holds();
    },
  }),

  activeCheck("PUSH-025", {
    uses: { notifications },
    judge({ notifications: { all, heard } }) {
      const at = heard[0]!.webhook.call;
      const want = "Content-Type: application/a2a+json";
      const labels = all.map(({ delivery: posted }) => field(posted, "content-type") ?? "nothing");
      const bare = labels.map((label) => label.split(";", 1)[0]!.trim().toLowerCase());
      const wrong = bare.findIndex((label) => !/^application\/(a2a\+)?json$/.test(label));
      if (wrong >= 0) return broken("the Content-Type of notifications is not JSON", { saw: labels[wrong]!, want, at });
      return bare.includes("application/json")
        ? breach("plain-json-label", "the Content-Type of notifications is application/json, as in 1.0.0", { want, at })
        : holds();
    },
  }),

  activeCheck("PUSH-026", {
    uses: { notifications },
    judge({ notifications: { configs, bearer, lowerCase } }) {
      if (!bearer?.notifications.length || credentialsShown(bearer, "Bearer"))
        return notApplicable('"Bearer" does not work either');
      if (!lowerCase) return tooShort;
      if (lowerCase.webhook.id === undefined) {
        return whileAlive(
          { lasted: configs?.lasted ?? false },
          broken(
            'the agent refuses the scheme "bearer" but accepts "Bearer"',
            answerOf(lowerCase.webhook.call, "scheme names in any case"),
          ),
        );
      }
      if (lowerCase.notifications.length === 0) return unheard(configs);
      return credentialsShown(lowerCase, "bearer") ?? holds();
    },
  }),

  activeCheck("PUSH-027", {
    uses: { notifications },
    judge({ notifications: { heard } }) {
      const wrong = heard
        .flatMap(({ taskId, webhook, notifications: all }) =>
          whole(all).map((each) => ({ ...each, named: taskId, webhook })),
        )
        .find(({ event, taskId, named }) => event && namesTask(event) && taskId !== named);
      if (!wrong) return holds();
      return broken(
        wrong.taskId === undefined
          ? "a notification has no task id"
          : "a notification has the id of a task other than the configured one",
        { saw: bodyOf(wrong.delivery), want: "the id of the configured task", at: wrong.webhook.call },
      );
    },
  }),

  activeCheck("PUSH-044", {
    uses: { notifications },
    judge({ notifications: { all, last, standing } }) {
      if (!isEnded(last?.state))
        return notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
      if (all.some(({ state }) => isEnded(state))) return holds();
      if (standing.length === 0) return tooShort;
      return breach("end-not-notified", "the agent sends no notification of the end of the task", {
        saw: `${all.length} notifications, none with a terminal state`,
        want: "a notification of the terminal state",
        at: standing.map(({ webhook }) => webhook.call),
      });
    },
  }),

  activeCheck("PUSH-045", {
    uses: { notifications },
    judge({ notifications: { configs, withToken } }) {
      if (!withToken) return tooShort;
      const { webhook, notifications: all } = withToken;
      const token = String(webhook.given["token"]);
      const [first] = whole(all);
      if (!first) return unheard(configs);
      // The specification no longer defines how it is sent (AMB-16), so this is only a note.
      const carrier = first.delivery.headers.find(([, value]) => value.includes(token))?.[0];
      if (carrier !== undefined) return holds(`the agent sends the token of a push configuration as ${carrier}`);
      if (Buffer.from(first.delivery.body).includes(token))
        return holds("the agent sends the token of a push configuration in the body");
      return broken("the agent does not send the token of a push configuration that also has credentials", {
        at: webhook.call,
      });
    },
  }),
];

/** Returns the call that registered the webhook of a notification. */
const registering = ({ heard }: Notifications, notification: Notification): Call =>
  heard.find(({ notifications: all }) => all.includes(notification))!.webhook.call;

/** A webhook without notifications may have been registered too late. */
const unheard = (configs: PushConfigs | undefined): Finding =>
  configs?.lasted ? notApplicable("the webhook got no notification") : tooShort;

/** Credentials are random, so they do not appear by chance. */
function isOf({ webhook }: Notified, shown: string | undefined): boolean {
  const credentials = asText(asObject(webhook.given["authentication"])?.["credentials"]);
  return credentials !== undefined && (shown?.includes(credentials) ?? false);
}

/** Returns what is wrong with the credentials that a webhook received; undefined if they are right. */
function credentialsShown({ webhook, notifications: all }: Notified, scheme: string): Finding | undefined {
  const credentials = String(asObject(webhook.given["authentication"])?.["credentials"]);
  for (const { delivery: posted } of all) {
    const given = field(posted, "authorization");
    const details = { want: `Authorization: ${scheme} <credentials>`, at: webhook.call };
    if (given === undefined) return broken("the agent does not send the configured credentials to webhooks", details);
    const [word = "", value] = given.split(/\s+/, 2);
    if (word.toLowerCase() !== scheme.toLowerCase() || value !== credentials) {
      // The credentials are random and used only once, but secrets are never printed.
      const saw = `Authorization: ${brief(word, 20)} ${value === credentials ? "<credentials>" : "<something else>"}`;
      return broken("the agent sends webhooks other credentials than configured", { saw, ...details });
    }
  }
  return undefined;
}
