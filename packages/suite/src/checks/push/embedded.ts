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

const want = "notifications at the webhook that came with the message";

/** Whether a configuration had effect: its webhook was called. */
const works = ({ notifications }: EmbeddedPush): boolean => notifications.length > 0;

export const embedded: readonly Check[] = [
  activeCheck({
    id: "PUSH-028",
    uses: { sent: embeddedAtOnce },
    judge({ sent }) {
      const { call, url, listed } = sent;
      const isListed = listed?.configs.some((config) => config["url"] === url);
      if (!works(sent)) {
        return broken("the push configuration of a message has no effect", {
          saw: isListed ? "it is listed, but nothing was posted" : "it is not listed, and nothing was posted",
          want,
          at: call,
        });
      }
      if (!listed || isListed) return holds();
      return breach("in-effect-but-not-listed", "the push configuration of a message is in effect but not listed", {
        want: "the configuration in ListTaskPushNotificationConfigs, while the task has not ended",
        at: [listed.call, call],
      });
    },
  }),

  activeCheck({
    id: "PUSH-029",
    uses: { sent: embeddedStreaming },
    judge({ sent }) {
      if (works(sent)) return holds();
      return broken("the push configuration of a streamed message has no effect", { want, at: sent.call });
    },
  }),

  activeCheck({
    id: "PUSH-030",
    uses: { atOnce: embeddedAtOnce, waiting: embeddedWaiting },
    judge({ atOnce, waiting }): Finding {
      if (works(atOnce) && works(waiting)) return holds();
      if (!works(atOnce) && !works(waiting))
        return notApplicable("a configuration inside a message has no effect at all");
      const [how, { call }] = works(atOnce) ? ["false", waiting] : ["true", atOnce];
      return broken(`webhooks are not notified when returnImmediately is ${how}`, { want, at: call });
    },
  }),

  activeCheck({
    id: "PUSH-047",
    uses: { sent: embeddedWithoutPush },
    judge({ sent }) {
      const what = "a message with a push configuration";
      if (sent.reply.is === "result") {
        return breach("configuration-ignored", `${what} is processed as if it had none`, {
          want: "PushNotificationNotSupportedError",
          at: sent,
        });
      }
      return expectError(sent, "PushNotificationNotSupported", {
        what,
        also: ["UnsupportedOperation", "InvalidParams"],
      });
    },
  }),
];
