import { isNamed } from "../../answers/error-names.ts";
import { expectError, isRefusal } from "../../answers/expect-error.ts";
import { generationOf } from "../../answers/generation.ts";
import { answerOf, describeReply, errorOf, isAccepted, isAnswered } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, holds, isBreach, notExamined } from "../../define/finding.ts";
import { guardedMessages, isSame } from "../../observations/generations.ts";
import { judgedCalls } from "../../observations/sent-calls.ts";

const mismatch = "TaskGenerationMismatch";

export const preconditions: readonly Check[] = [
  activeCheck("GEN-012", {
    uses: { guardedMessages },
    judge({ guardedMessages: { stale, after, generation } }) {
      const now = generationOf(after?.json);
      const findings = judgedCalls(stale, (call) => {
        const details = { saw: describeReply(call), want: "an error, and a task that has not changed", at: call };
        if (isAccepted(call)) return broken("a message for another generation is accepted", details);
        if (!isRefusal(call))
          return notExamined("not-triggered", `the agent did not reject the message: ${describeReply(call)}`);
        if (now === undefined) return notExamined("not-triggered", "GetTask did not return the task afterwards");
        if (now === generation) return holds();
        return broken("a rejected message for another generation changes the task", {
          ...details,
          saw: `generation ${generation}, then ${now}`,
        });
      });
      return findings.find((finding) => isBreach(finding)) ?? findings.find(({ is }) => is !== "holds") ?? holds();
    },
  }),

  activeCheck("GEN-013", {
    uses: { guardedMessages },
    judge: ({ guardedMessages: { stale } }) =>
      judgedCalls(stale, (call) => {
        if (isAccepted(call)) return notExamined("not-triggered", "the agent accepts a message for another generation");
        const what = "a message for another generation";
        const error = errorOf(call);
        if (error?.http === 412 && isNamed(call, mismatch))
          return breach("mismatch-as-412", `${what} returns HTTP 412`, answerOf(call, "HTTP 409"));
        return expectError(call, mismatch, { what });
      }),
  }),

  activeCheck("GEN-014", {
    uses: { guardedMessages },
    judge({ guardedMessages: { task, fresh, rejected } }) {
      if (!fresh) return notExamined("not-triggered", "the task no longer waited for a message");
      if (isAnswered(fresh)) return holds();
      if (!isNamed(fresh, mismatch))
        return notExamined("not-triggered", `the agent rejected the message: ${describeReply(fresh)}`);
      // The agent may have processed an attempt whose response was lost.
      if (!isSame(rejected, task))
        return notExamined("unstable", "the task changed before the agent rejected the message");
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
