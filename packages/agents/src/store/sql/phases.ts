import { isResting, isTerminal, type TaskState } from "@assay/protocol/core";

/** A skill works on the task, or should. */
export const workingPhase = 0;
/** The task waits for its client. */
const waitingPhase = 1;
export const endedPhase = 2;

export function phaseOf(state: TaskState): number {
  if (isTerminal(state)) return endedPhase;
  return isResting(state) ? waitingPhase : workingPhase;
}
