import { generationOf } from "../../answers/generation.ts";
import { answerOf, describeReply, taskIn } from "../../answers/reading.ts";
import { skippedFor, troubleOf } from "../../answers/trouble.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import {
  heldMs,
  heldRead,
  isQuick,
  readAt,
  type SpelledReads,
  spelledReads,
  uncounted,
} from "../../observations/generations.ts";
import { taskAtRest } from "../../observations/sent-message.ts";

/** Returns true if Assay gave up a request that the agent did not answer. */
const isHeld = ({ reply }: Call): boolean =>
  reply.is === "failure" && ["timeout-idle", "timeout-total", "aborted"].includes(reply.failure.code);

export const longPolling: readonly Check[] = [
  activeCheck("GEN-009", {
    alone: true,
    uses: { taskAtRest },
    async judge({ taskAtRest: { last } }, target) {
      const timeout = heldMs(target);
      const calls: Call[] = [];
      const read: Call[] = [];
      // Plain reads before and after are the control, because a slow agent is slow without currentGeneration as well.
      for (let attempt = 0; attempt < 2; attempt++) {
        const plain = await plainRead(target, last.id, timeout);
        const generation = generationOf(taskIn(plain)?.json);
        if (isHeld(plain) || plain.exchange.timing.end > timeout / 4) return tooSlow;
        if (generation === undefined) return notApplicable(uncounted);
        const older = await readAt(target, last.id, generation - 1n, timeout);
        if (taskIn(older)) return holds();
        assertAnswered(older);
        read.push(older);
        calls.push(plain, older);
      }
      const after = await plainRead(target, last.id, timeout);
      if (isHeld(after) || after.exchange.timing.end > timeout / 4) return tooSlow;
      const answered = read.find((call) => !isHeld(call));
      if (answered)
        return broken("GetTask with an older currentGeneration returns no task", answerOf(answered, "the task"));
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
      const ask = (): Promise<Call> => readAt(target, last.id, generation + 1_000n, heldMs(target));
      const isFine = (call: Call): boolean => isHeld(call) || taskIn(call) !== undefined;
      // A single error may be temporary.
      if (isFine(await ask())) return holds();
      const call = await ask();
      if (isFine(call)) return holds();
      assertAnswered(call);
      return broken(
        "GetTask with a newer currentGeneration returns no task",
        answerOf(call, "the task, or no response yet"),
      );
    },
  }),

  activeCheck("GEN-016", {
    uses: { spelledReads },
    judge({ spelledReads: rounds }) {
      const { camel, snake } = rounds.at(-1)!;
      if (rounds.some((round) => waits(round, round.camel))) return holds();
      if (rounds.some(({ plain, after }) => [plain, after].some((call) => !isQuick(call)))) return tooSlow;
      const unread = rounds.find(({ camel: call }) => !taskIn(call));
      if (unread) return notExamined("not-triggered", `GetTask returned no task: ${describeReply(unread.camel)}`);
      if (!rounds.every((round) => waits(round, round.snake)))
        return notApplicable("the agent does not wait for a change");
      if (!rounds.every(isUnchanged)) return notExamined("unstable", "the task changed while Assay read it");
      return broken("GetTask waits for current_generation and ignores currentGeneration", {
        saw: describeReply(camel),
        want: "the same behaviour for currentGeneration",
        at: [camel, snake],
      });
    },
  }),
];

/** Returns true if the agent held a read longer than a plain one: until the task changed, or until Assay gave up. */
const waits = ({ plain, generation }: SpelledReads, call: Call): boolean =>
  isHeld(call) ||
  ((generationOf(taskIn(call)?.json) ?? 0n) > generation &&
    call.exchange.timing.end > 2 * plain.exchange.timing.end + 100);

/**
 * Returns true if the task had not changed when the agent answered, so the agent should have waited as for the other
 * spelling.
 */
const isUnchanged = ({ camel, generation }: SpelledReads): boolean => generationOf(taskIn(camel)?.json) === generation;

/** Throws if the network or a busy agent kept a response from Assay. */
function assertAnswered(call: Call): void {
  if (!isHeld(call) && troubleOf(call)) throw skippedFor(call, `GetTask got no response: ${describeReply(call)}`);
}

const tooSlow = notExamined("unstable", "the agent is too slow to tell waiting from working");

const plainRead = (target: Target, id: string, timeout: number): Promise<Call> =>
  target.call("GetTask", { id }, { timeout, unrepeated: true });
