import { Obstacle, skipped } from "../define/obstacle.ts";

/** The run was stopped, by the user unless the signal names another reason. Everything in progress is not examined. */
export const interrupted = ({ reason }: AbortSignal): Obstacle =>
  reason instanceof Obstacle ? reason : skipped("interrupted", "the run was interrupted");
