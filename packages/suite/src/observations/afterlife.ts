import { observation } from "../observation.ts";
import type { LooseTask } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { endedTask } from "./ended-task.ts";
import { settledTask } from "./settled.ts";

/** A task that has ended, and how it stands a while after somebody tried to go on with it. */
export interface Afterlife {
  readonly ended: LooseTask;
  readonly endedAt: Talk;
  /** GetTask, more than a second later */
  readonly after: Talk;
}

export const afterlife = observation<Afterlife>({
  name: "a task after its end",
  messages: 0,
  uses: [settledTask, endedTask],
  async make(lab) {
    const { last: ended, got: endedAt } = await lab.observe(settledTask);
    await lab.observe(endedTask);
    // Long enough for the time of an answer to differ from that of the status, whatever its precision.
    await lab.sleep(1_100);
    return { ended, endedAt, after: await lab.call("GetTask", { id: ended.id }) };
  },
});
