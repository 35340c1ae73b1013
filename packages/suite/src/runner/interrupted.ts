import { type Obstacle, skipped } from "../obstacle.ts";

/** The user ended the run: what was under way is not examined, whatever it looked like when it was cut off. */
export const interrupted = (): Obstacle => skipped("interrupted", "the run was interrupted");
