import { accomplished } from "../../../client/accomplished.ts";
import { callsOf } from "../../../client/client-request.ts";
import { type SentNotification, type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { broken, type Finding, holds, notExamined } from "../../../define/finding.ts";
import { tells } from "./copes.ts";

/** Returns the notifications sent to a receiver for a rule, with its responses. */
const postsOf = ({ notifications }: SituationSeen, as: SentNotification["as"]) =>
  notifications.filter((each) => each.as === as);

const printedBy = ({ runs }: SituationSeen): string => runs.map(({ output }) => output).join("\n");

const timesIn = (text: string, what: string): number => text.split(what).length - 1;

const unregistered = notExamined("not-triggered", "the client registered no reachable webhook");

export const acknowledged = situationCheck("PUSH-036", {
  in: ["webhook"],
  judge(seen) {
    const posts = postsOf(seen, "genuine");
    if (!posts.length) return unregistered;
    const wrong = posts.find(({ status }) => status !== undefined && (status < 200 || status > 299));
    if (wrong)
      return broken("the client does not acknowledge a valid notification", { saw: `${wrong.status}`, want: "2xx" });
    return posts.some(({ status }) => status !== undefined) ? holds() : unregistered;
  },
});

/** Checks that a receiver refuses or ignores an untrustworthy notification. */
function disbelieved(seen: SituationSeen, as: "forged" | "foreign" | "old", what: string): Finding {
  const [post] = postsOf(seen, as);
  if (!post || post.status === undefined) return unregistered;
  if (post.status >= 400) return holds(`the client returns ${post.status}`);
  const accepts = (saw: string): Finding =>
    broken(`the client accepts ${what}`, { saw: `${post.status}, and ${saw}`, want: "an error, or no effect" });
  if (printedBy(seen).includes(post.text)) return accepts("its text in the output of the client");
  const done = accomplished(seen);
  const asksFor = callsOf(seen.requests).some(
    ({ params }) => post.foreignTask !== undefined && params?.["id"] === post.foreignTask,
  );
  if (asksFor)
    return done.is
      ? notExamined("not-triggered", "the client asks the agent for the foreign task, and then ignores it")
      : accepts(`GetTask with the foreign id; then the client ${done.because}`);
  if (!seen.prints || !seen.runs.length)
    return notExamined("not-triggered", "the output does not show how the client handled the notification");
  if (done.is) return holds(`the client returns ${post.status} and ignores the notification`);
  // In the control situation, the client reads the task to its end. Here it reports success without the result. A
  // client that reports an error does not believe the notification.
  if (!tells(seen) && seen.runs.every(({ exit }) => exit === 0) && seen.ended === "done")
    return accepts("the client ends with exit code 0 and without the result of its task");
  return notExamined("not-triggered", `after the notification the client ${done.because}`);
}

export const verifiesSender = situationCheck("PUSH-039", {
  in: ["webhook-forged"],
  judge(seen) {
    const isGuarded = seen.notifications.some(({ guarded }) => guarded);
    return isGuarded
      ? disbelieved(seen, "forged", "a notification without its token")
      : notExamined("not-triggered", "the client registered a webhook without a token and without authentication");
  },
});

export const knowsTask = situationCheck("PUSH-038", {
  in: ["webhook-foreign"],
  judge: (seen) => disbelieved(seen, "foreign", "a notification about a foreign task"),
});

export const looksAtTime = situationCheck("PUSH-043", {
  in: ["webhook-old"],
  judge: (seen) => disbelieved(seen, "old", "a notification that is years old"),
});

export const once = situationCheck("PUSH-037", {
  in: ["webhook-repeated"],
  judge(seen) {
    const [post] = postsOf(seen, "repeated");
    if (!post || post.status === undefined) return unregistered;
    const times = timesIn(printedBy(seen), post.text);
    if (times === 0)
      return notExamined("not-triggered", "the output does not show how the client handled the notification");
    if (times === 1) return holds();
    return broken(`the client processes a duplicate notification ${times} times`, {
      saw: `its text ${times} times in the output`,
      want: "once",
    });
  },
});
