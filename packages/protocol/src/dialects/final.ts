import { isInterrupted, isTerminal, type TaskState } from "../model.ts";

/**
 * Computes `final`, which status events had before 1.0: true at a terminal state, and at an interrupted state if the
 * stream closes there. In 1.0 the closing stream expresses this, so `final` is dropped on input. A check on the
 * recorded frame reports a `final` that contradicts the state.
 */
export const isFinal = (state: TaskState, last: boolean): boolean =>
  isTerminal(state) || (last && isInterrupted(state));
