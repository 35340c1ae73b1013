import {
  type SentNotification,
  type SituationCheck,
  type SituationSeen,
  situationCheck,
} from "../../../client/situation-check.ts";
import { broken, type Finding, holds, notExamined } from "../../../define/finding.ts";

/** What a receiver was sent, for the sake of which rule, and what it said. */
const postsOf = ({ notifications }: SituationSeen, as: SentNotification["as"]) =>
  notifications.filter((each) => each.as === as);

const printedBy = ({ runs }: SituationSeen): string => runs.map(({ output }) => output).join("\n");

const timesIn = (text: string, what: string): number => text.split(what).length - 1;

const unregistered = notExamined("not-triggered", "the client registered no webhook that could be reached");

const acknowledged = situationCheck({
  id: "PUSH-036",
  in: ["webhook"],
  judge(seen) {
    const posts = postsOf(seen, "genuine");
    if (!posts.length) return unregistered;
    const wrong = posts.find(({ status }) => status !== undefined && (status < 200 || status > 299));
    if (wrong)
      return broken("a notification that is in order is not acknowledged", { saw: `${wrong.status}`, want: "2xx" });
    return posts.some(({ status }) => status !== undefined) ? holds() : unregistered;
  },
});

/** A notification that a receiver must not believe: refused, or without effect. */
function disbelieved(seen: SituationSeen, as: "forged" | "foreign" | "old", what: string): Finding {
  const [post] = postsOf(seen, as);
  if (!post || post.status === undefined) return unregistered;
  if (post.status >= 400) return holds(`it answers ${post.status}`);
  if (!printedBy(seen).includes(post.text)) return holds(`it answers ${post.status}, and nothing comes of it`);
  return broken(`the receiver took ${what} for true`, {
    saw: `${post.status}, and its text in the output of the client`,
    want: "a refusal, or no effect",
  });
}

const verifiesSender = situationCheck({
  id: "PUSH-039",
  in: ["webhook-forged"],
  judge(seen) {
    const isGuarded = seen.notifications.some(({ guarded }) => guarded);
    return isGuarded
      ? disbelieved(seen, "forged", "a notification without its token")
      : notExamined("not-triggered", "the client registered a webhook without a token and without authentication");
  },
});

const knowsTask = situationCheck({
  id: "PUSH-038",
  in: ["webhook-foreign"],
  judge: (seen) => disbelieved(seen, "foreign", "a notification about a task of others"),
});

const looksAtTime = situationCheck({
  id: "PUSH-043",
  in: ["webhook-old"],
  judge: (seen) => disbelieved(seen, "old", "a notification that is years old"),
});

const once = situationCheck({
  id: "PUSH-037",
  in: ["webhook-repeated"],
  judge(seen) {
    const [post] = postsOf(seen, "repeated");
    if (!post || post.status === undefined) return unregistered;
    const times = timesIn(printedBy(seen), post.text);
    if (times === 0) return notExamined("not-triggered", "nothing shows what the client made of the notification");
    if (times === 1) return holds();
    return broken(`a notification that came twice is dealt with ${times} times`, {
      saw: `its text ${times} times in the output`,
      want: "once",
    });
  },
});

export const webhookChecks: readonly SituationCheck[] = [acknowledged, verifiesSender, knowsTask, looksAtTime, once];
