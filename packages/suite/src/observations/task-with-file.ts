import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { type LooseTask, taskIn } from "../reading.ts";
import { follow } from "./sent-message.ts";

/** A task whose artifacts hold a file, and how GetTask showed it at the end. */
export interface TaskWithFile {
  readonly call: Call;
  readonly last: LooseTask | undefined;
}

export const taskWithFile = observation<TaskWithFile>({
  name: "a task with a file",
  messages: 1,
  prompts: ["file"],
  rank: 6,
  async make(target) {
    const call = await target.send("file");
    const task = taskIn(call);
    return { call, last: task && (await follow(target, task)).last };
  },
});
