import { generationOf } from "../../answers/generation.ts";
import { answerOf, describeReply, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { heldMs, heldRead, readAt, spelledRead, uncounted } from "../../observations/generations.ts";
import { taskAtRest } from "../../observations/sent-message.ts";

/** Tells if Assay gave up a request that the agent did not answer. */
const isHeld = ({ reply }: Call): boolean =>
  reply.is === "failure" && ["timeout-idle", "timeout-total", "aborted"].includes(reply.failure.code);

export const longPolling: readonly Check[] = [
  activeCheck("GEN-009", {
    alone: true,
    uses: { taskAtRest },
    async judge({ taskAtRest: { last } }, target) {
      const timeout = heldMs(target);
      const calls: Call[] = [];
      // A slow agent is slow without currentGeneration as well: that is the control, before and after.
      for (let attempt = 0; attempt < 2; attempt++) {
        const plain = await plainRead(target, last.id, timeout);
        const generation = generationOf(taskIn(plain)?.json);
        if (isHeld(plain) || plain.exchange.timing.end > timeout / 4) return tooSlow;
        if (generation === undefined) return notApplicable(uncounted);
        const older = await readAt(target, last.id, generation - 1n, timeout);
        if (!isHeld(older)) {
          if (taskIn(older)) return holds();
          return broken("GetTask with an older currentGeneration returns no task", answerOf(older, "the task"));
        }
        calls.push(plain, older);
      }
      const after = await plainRead(target, last.id, timeout);
      if (isHeld(after) || after.exchange.timing.end > timeout / 4) return tooSlow;
      return broken("GetTask with an older currentGeneration does not return at once", {
        saw: `no response within ${timeout / 1_000} s, twice`,
        want: "the task at once, because its generation is newer",
        at: calls,
      });
    },
  }),

  activeCheck("GEN-010", {
    uses: { heldRead },
    judge({ heldRead: { call, lateBy, generation } }, target) {
      if (isHeld(call)) {
        if (lateBy < heldMs(target)) return tooSlow;
        return broken("GetTask waits although the task has changed", {
          saw: "no response after the task was canceled",
          want: `the task with a generation above ${generation}`,
          at: call,
        });
      }
      const now = generationOf(taskIn(call)?.json);
      if (now === undefined) return notExamined("not-triggered", `GetTask returned no task: ${describeReply(call)}`);
      return now > generation ? holds() : holds("the agent returns at once and does not wait for a change");
    },
  }),

  activeCheck("GEN-011", {
    last: true,
    uses: { taskAtRest },
    async judge({ taskAtRest: { last } }, target) {
      const generation = generationOf(last.json);
      if (generation === undefined) return notApplicable(uncounted);
      const call = await readAt(target, last.id, generation + 1_000n, heldMs(target));
      if (isHeld(call) || taskIn(call)) return holds();
      return broken(
        "GetTask with a newer currentGeneration returns no task",
        answerOf(call, "the task, or no response yet"),
      );
    },
  }),

  activeCheck("GEN-016", {
    uses: { spelledRead },
    judge({ spelledRead: { camel, snake } }) {
      const waits = ({ call, generation }: typeof camel): boolean =>
        isHeld(call) || (generationOf(taskIn(call)?.json) ?? 0n) > generation;
      if (waits(camel)) return holds();
      if (!waits(snake)) return notApplicable("the agent does not wait for a change");
      return broken("GetTask waits for current_generation and ignores currentGeneration", {
        saw: describeReply(camel.call),
        want: "the same behaviour for currentGeneration",
        at: [camel.call, snake.call],
      });
    },
  }),
];

const tooSlow = notExamined("unstable", "the agent is too slow to tell waiting from working");

const plainRead = (target: Target, id: string, timeout: number): Promise<Call> =>
  target.call("GetTask", { id }, { timeout, unrepeated: true });
