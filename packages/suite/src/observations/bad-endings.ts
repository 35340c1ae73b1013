import type { JsonObject } from "@assay/protocol";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { isEnded, type LooseTask, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { company, ownContext } from "./contexts.ts";

/** A task that failed or was rejected, and what becomes of a message to it. */
export interface BadEnding {
  readonly task: LooseTask;
  readonly addressed: Talk;
  /** GetTask after that */
  readonly after: Talk;
}

export const badEndings = observation<readonly BadEnding[]>({
  name: "messages to tasks that failed or were rejected",
  messages: 0,
  uses: [ownContext, company],
  async make(lab) {
    // Before 0.2 a message opens a task again, whichever way it had ended.
    if (lab.on.dialect === "0.1") return [];
    const [own, several] = [await lab.observe(ownContext), await lab.observe(company)];
    const tasks = [own.talk, several.plain].flatMap((talk) => taskIn(talk) ?? []);
    const ended = tasks.filter(({ state }) => isEnded(state) && state !== "TASK_STATE_COMPLETED");
    return Promise.all(ended.map((task) => goOnWith(task, lab)));
  },
});

async function goOnWith(task: LooseTask, lab: Lab): Promise<BadEnding> {
  // A message of ours is JSON.
  const message = lab.message("task", { taskId: task.id }) as unknown as JsonObject;
  const addressed = await lab.call("SendMessage", { message }, { refusable: true });
  return { task, addressed, after: await lab.call("GetTask", { id: task.id }) };
}
