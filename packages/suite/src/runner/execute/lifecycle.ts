import type { SentMessage } from "../../observations/sent-message.ts";
import { Obstacle } from "../../obstacle.ts";
import type { LifecycleAnswer } from "../../report/events.ts";

const ended: Readonly<Record<string, LifecycleAnswer>> = {
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_INPUT_REQUIRED: "waiting",
  TASK_STATE_AUTH_REQUIRED: "waiting",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "failed",
  TASK_STATE_REJECTED: "refused",
};

/** What a plain message came to. */
export function lifecycleAnswer({ message, task, last }: SentMessage): LifecycleAnswer {
  const state = (last ?? task)?.state;
  if (state === undefined && message) return "message";
  return (state !== undefined && ended[state]) || "unfinished";
}

/** The same where it was sent in vain; undefined where it was not sent at all. */
export function lifecycleObstacle(error: unknown): LifecycleAnswer | undefined {
  if (!(error instanceof Obstacle)) return undefined;
  if (error.kind.is === "held-up") return "refused";
  return error.kind.is === "not-examined" && error.kind.reason === "unstable" ? "silence" : undefined;
}
