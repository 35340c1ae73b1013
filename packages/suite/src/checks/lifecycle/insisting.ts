import { type Check, probe } from "../../check.ts";
import { isInternal } from "../../expect-error.ts";
import { crashed, holds, notExamined } from "../../finding.ts";
import { insistent } from "../../observations/insistent.ts";
import { describeReply, errorOf, messageIn, taskIn } from "../../reading.ts";

/** What a timeout of ours is called. */
const isOurs = (code: string): boolean => code.startsWith("timeout") || code === "aborted";

const survivesRepetition = probe({
  id: "SEND-018",
  title: "a message that comes twice does no harm",
  remedy:
    "Answer a message whose `messageId` is known with the task it began, or like any other; do not break down over it.",
  // Told by the slow message, so that it can be seen whether the work is begun twice.
  requires: ["scenario:long"],
  once: true,
  uses: { insistent },
  probe({ insistent: { first, again } }) {
    if (isInternal(again)) {
      return crashed("a message with a messageId that was there before is answered with an internal error", {
        saw: describeReply(again),
        want: "the task that it began, a task of its own, or a refusal",
        at: again,
      });
    }
    if (again.reply.is === "failure") return notExamined("unstable", `it got no answer: ${describeReply(again)}`);
    if (errorOf(again)) return holds(`a repeated messageId is refused: ${describeReply(again)}`, again);
    const isSame = taskIn(again)?.id === first.id;
    return isSame ? holds("a repeated messageId is recognised: the same task comes back", again) : holds();
  },
});

const survivesInterjections = probe({
  id: "CTX-014",
  title: "a message to a task at work is taken or refused",
  remedy:
    "Take a message to a task at work, or refuse it with UnsupportedOperationError; answer it in either case, at once.",
  once: true,
  uses: { insistent },
  probe({ insistent: { interjection } }, lab) {
    if (!interjection) return notExamined("no-occasion", "there was no task at work to send a message to");
    const { talk, overdue } = interjection;
    const want = "the task, or an error such as UnsupportedOperation";
    const details = { saw: describeReply(talk), want, at: talk };
    if (isInternal(talk)) return crashed("a message to a task at work is answered with an internal error", details);
    if (talk.reply.is === "failure") {
      const isLate = overdue !== undefined && overdue >= lab.grace;
      if (isLate && isOurs(talk.reply.failure.code))
        return crashed("a message to a task at work is not answered, long after the task has ended", details);
      return notExamined("unstable", `it got no answer: ${describeReply(talk)}`, "--timeout <seconds>");
    }
    if (talk.reply.is === "malformed")
      return notExamined("no-occasion", "it is not answered in the words of the binding");
    return taskIn(talk) || messageIn(talk) ? holds("the agent takes messages to tasks at work", talk) : holds();
  },
});

export const insistingChecks: readonly Check[] = [survivesRepetition, survivesInterjections];
