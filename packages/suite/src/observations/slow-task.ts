import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { describeReply, type LooseTask, messageIn, taskIn } from "../reading.ts";

/** A task that works for some seconds, begun by a client that does not wait for it. */
export interface SlowTask {
  /** the send */
  readonly call: Call;
  /** as the send was answered */
  readonly task: LooseTask;
  /** milliseconds until the send was answered */
  readonly answeredIn: number;
  /** GetTask, asked at once */
  readonly first: Call;
  /** the same once a replica can have heard of the task */
  readonly found: Call;
}

export const slowTask = observation<SlowTask>({
  name: "a slow task, not waited for",
  messages: 1,
  prompts: ["slow"],
  rank: 4,
  async make(target) {
    const call = await target.send("slow", { configuration: { returnImmediately: true } });
    const task = taskIn(call);
    if (!task) {
      throw messageIn(call)
        ? skipped("prompt", "the slow message was answered without a task", "prompts.slow in assay.yaml")
        : skipped("unstable", `the slow message was not taken: ${describeReply(call)}`);
    }
    const first = await target.call("GetTask", { id: task.id }, { unrepeated: true });
    const found = taskIn(first) ? first : await target.call("GetTask", { id: task.id });
    return { call, task, answeredIn: call.exchange.timing.end, first, found };
  },
});
