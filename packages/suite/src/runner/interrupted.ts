import { Obstacle, skipped } from "../define/obstacle.ts";

/** The run was ended, by the user unless the signal says why: what was under way then is not examined, whatever it looked like. */
export const interrupted = ({ reason }: AbortSignal): Obstacle =>
  reason instanceof Obstacle ? reason : skipped("interrupted", "the run was interrupted");
