import { isEnded, isWaiting } from "../../answers/reading.ts";
import { Obstacle } from "../../define/obstacle.ts";
import type { SentMessage } from "../../observations/sent-message.ts";
import type { LifecycleAnswer } from "../../report/events.ts";

/** Classifies the response to a plain message by its result. */
export function answerSeen({ message, task, last = task }: SentMessage): LifecycleAnswer {
  if (message) return "message";
  const state = last?.state;
  if (state === "TASK_STATE_COMPLETED") return "completed";
  if (state === "TASK_STATE_REJECTED") return "refused";
  if (isWaiting(state)) return "waiting";
  return isEnded(state) ? "failed" : "unfinished";
}

/** Classifies a message without a usable response; undefined if none was sent. */
export function answerMissed(error: unknown): LifecycleAnswer | undefined {
  if (!(error instanceof Obstacle)) return undefined;
  const { kind } = error;
  if (kind.is === "held-up") return "refused";
  return kind.is === "not-examined" && kind.reason === "unstable" ? "silence" : undefined;
}
