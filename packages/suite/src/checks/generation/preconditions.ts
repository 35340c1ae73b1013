import { isNamed } from "../../answers/error-names.ts";
import { expectError, isRefusal } from "../../answers/expect-error.ts";
import { generationOf } from "../../answers/generation.ts";
import { answerOf, describeReply, errorOf, isAccepted, isAnswered } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, holds, notExamined } from "../../define/finding.ts";
import { guardedMessages } from "../../observations/generations.ts";

const mismatch = "TaskGenerationMismatch";
const notSent = notExamined("budget", "the message limit left no room for the message", "--budget");

export const preconditions: readonly Check[] = [
  activeCheck("GEN-012", {
    uses: { guardedMessages },
    judge({ guardedMessages: { stale, after, generation } }) {
      if (!stale) return notSent;
      const want = "an error, and a task that has not changed";
      if (isAccepted(stale))
        return broken("a message for another generation is accepted", { saw: describeReply(stale), want, at: stale });
      const now = generationOf(after?.json);
      if (now === undefined || now === generation) return holds();
      return broken("a rejected message for another generation changes the task", {
        saw: `generation ${generation}, then ${now}`,
        want,
        at: stale,
      });
    },
  }),

  activeCheck("GEN-013", {
    uses: { guardedMessages },
    judge({ guardedMessages: { stale } }) {
      if (!stale) return notSent;
      if (isAccepted(stale)) return notExamined("not-triggered", "the agent accepts a message for another generation");
      const what = "a message for another generation";
      const error = errorOf(stale);
      if (error?.http === 412 && isNamed(stale, mismatch))
        return breach("mismatch-as-412", `${what} returns HTTP 412`, answerOf(stale, "HTTP 409"));
      return expectError(stale, mismatch, { what });
    },
  }),

  activeCheck("GEN-014", {
    uses: { guardedMessages },
    judge({ guardedMessages: { fresh } }) {
      if (!fresh) return notExamined("not-triggered", "the task no longer waited for a message");
      if (isAnswered(fresh)) return holds();
      if (!isNamed(fresh, mismatch))
        return notExamined("not-triggered", `the agent rejected the message: ${describeReply(fresh)}`);
      return broken("a message for the current generation is rejected", answerOf(fresh, "the task"));
    },
  }),

  activeCheck("GEN-015", {
    uses: { guardedMessages },
    judge({ guardedMessages: { opening } }) {
      if (isAnswered(opening)) return holds();
      if (!isRefusal(opening)) return notExamined("not-triggered", `no response to judge: ${describeReply(opening)}`);
      return broken(
        "a message for a new task is rejected because of ifGenerationMatch",
        answerOf(opening, "a new task"),
      );
    },
  }),
];
