import { expectError } from "../../answers/expect-error.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import {
  type EmbeddedPush,
  embeddedAtOnce,
  embeddedStreaming,
  embeddedWaiting,
  embeddedWithoutPush,
} from "../../observations/embedded-push.ts";

const want = "notifications at the webhook in the message";

/** Returns true if a configuration took effect: its webhook was called. */
const works = ({ notifications }: EmbeddedPush): boolean => notifications.length > 0;

export const embedded: readonly Check[] = [
  activeCheck("PUSH-028", {
    uses: { sent: embeddedAtOnce },
    judge({ sent }) {
      const { call, url, listed } = sent;
      const isListed = listed?.configs.some((config) => config["url"] === url);
      if (!works(sent)) {
        return broken("the agent ignores the push configuration in a message", {
          saw: isListed ? "listed, but no notification" : "not listed, and no notification",
          want,
          at: call,
        });
      }
      if (!listed || isListed) return holds();
      return breach("in-effect-but-not-listed", "the push configuration in a message takes effect but is not listed", {
        want: "the configuration in ListTaskPushNotificationConfigs, until the task ends",
        at: [listed.call, call],
      });
    },
  }),

  activeCheck("PUSH-029", {
    uses: { sent: embeddedStreaming },
    judge({ sent }) {
      if (works(sent)) return holds();
      return broken("the agent ignores the push configuration in a streamed message", { want, at: sent.call });
    },
  }),

  activeCheck("PUSH-030", {
    uses: { atOnce: embeddedAtOnce, waiting: embeddedWaiting },
    judge({ atOnce, waiting }): Finding {
      if (works(atOnce) && works(waiting)) return holds();
      if (!works(atOnce) && !works(waiting)) return notApplicable("the agent ignores push configurations in messages");
      const [how, { call }] = works(atOnce) ? ["false", waiting] : ["true", atOnce];
      return broken(`the agent does not notify webhooks if returnImmediately is ${how}`, { want, at: call });
    },
  }),

  activeCheck("PUSH-047", {
    uses: { sent: embeddedWithoutPush },
    judge({ sent }) {
      const what = "SendMessage with a push configuration";
      if (sent.reply.is === "result") {
        return breach(
          "configuration-ignored",
          "the agent ignores the push configuration in a message instead of refusing it",
          {
            want: "PushNotificationNotSupportedError",
            at: sent,
          },
        );
      }
      return expectError(sent, "PushNotificationNotSupported", {
        what,
        also: ["UnsupportedOperation", "InvalidParams"],
      });
    },
  }),
];
