import { isInterrupted, isTerminal, type TaskState } from "../model.ts";

/**
 * `final`, which every dialect before 1.0 has on its status events: true at a terminal state, and at an interrupted
 * one when the stream closes there. 1.0 lets the closing stream say it, so it is dropped on the way in; a peer whose
 * `final` contradicts its state is a check's business, and checks read the recorded frame.
 */
export const isFinal = (state: TaskState, last: boolean): boolean =>
  isTerminal(state) || (last && isInterrupted(state));
