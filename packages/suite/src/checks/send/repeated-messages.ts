import { isInternal } from "../../answers/expect-error.ts";
import { describeReply, errorOf, messageIn, taskIn } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, crashed, holds, notExamined } from "../../define/finding.ts";
import { repeatedMessage } from "../../observations/repeated-message.ts";

/** What a timeout of ours is called. */
const isOurs = (code: string): boolean => code.startsWith("timeout") || code === "aborted";

const survivesRepetition = activeCheck({
  id: "SEND-018",
  title: "a message that comes twice does no harm",
  remedy:
    "Answer a message whose `messageId` is known with the task it began, or like any other; do not break down over it.",
  // Told by the slow message, so that it can be seen whether the work is begun twice.
  requires: ["scenario:long"],
  once: true,
  uses: { repeatedMessage },
  judge({ repeatedMessage: { first, again } }) {
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

const survivesInterjections = activeCheck({
  id: "CTX-014",
  title: "a message to a task at work is taken or refused",
  remedy:
    "Take a message to a task at work, or refuse it with UnsupportedOperationError; answer it in either case, at once.",
  once: true,
  uses: { repeatedMessage },
  judge({ repeatedMessage: { interjection } }, target) {
    if (!interjection) return notExamined("not-triggered", "there was no task at work to send a message to");
    const { call, overdue } = interjection;
    const want = "the task, or an error such as UnsupportedOperation";
    const details = { saw: describeReply(call), want, at: call };
    if (isInternal(call))
      return breach("internal-error", "a message to a task at work is answered with an internal error", details);
    if (call.reply.is === "failure") {
      const isLate = overdue !== undefined && overdue >= target.grace;
      if (isLate && isOurs(call.reply.failure.code))
        return crashed("a message to a task at work is not answered, long after the task has ended", details);
      return notExamined("unstable", `it got no answer: ${describeReply(call)}`, "--task-timeout <seconds>");
    }
    if (call.reply.is === "malformed")
      return notExamined("not-triggered", "it is not answered in the words of the binding");
    return taskIn(call) || messageIn(call) ? holds("the agent takes messages to tasks at work", call) : holds();
  },
});

export const insistingChecks: readonly Check[] = [survivesRepetition, survivesInterjections];
