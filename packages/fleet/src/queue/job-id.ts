import { createHash } from "node:crypto";
import type { QueuedJob } from "./fleet-queue.ts";

/**
 * What a queue knows a job by: the same agent in the same sweep is the same job, so that adding it again does nothing. Names may be of any length and hold any character, so their digest stands for them; the letter keeps it from being a number.
 */
export const jobId = ({ sweep, agent }: QueuedJob): string =>
  `j${createHash("sha256")
    .update(JSON.stringify([sweep, agent]))
    .digest("base64url")
    .slice(0, 22)}`;
