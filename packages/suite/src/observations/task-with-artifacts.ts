import { isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { Obstacle } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { taskStream } from "./task-stream.ts";

/** An ended task with artifacts, as GetTask shows it. */
export interface RichTask {
  readonly task: LooseTask;
  readonly got: Call;
}

/**
 * Any task of this run will do, whichever prompt made it. Only for checks that come last: what they find does not depend on
 * which task was made first.
 */
export const taskWithArtifacts = observation<RichTask | undefined>({
  name: "a task with artifacts",
  messages: 0,
  async make(target) {
    const isRich = ({ state, artifacts }: LooseTask): boolean => isEnded(state) && artifacts.length > 0;
    for (const id of [target.knownTask(isRich)?.id, await streamedTask(target)]) {
      const got = id === undefined ? undefined : await target.call("GetTask", { id });
      const task = got && taskIn(got);
      if (task && isRich(task)) return { task, got };
    }
    return undefined;
  },
});

/** A task that only a stream has shown, and that nobody has asked for since. */
async function streamedTask(target: Target): Promise<string | undefined> {
  if (!target.facts.streaming) return undefined;
  try {
    return (await target.observe(taskStream)).taskId;
  } catch (error) {
    if (error instanceof Obstacle) return undefined;
    throw error;
  }
}
