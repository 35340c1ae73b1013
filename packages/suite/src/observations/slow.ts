import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { describeReply, type LooseTask, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** A task that works for some seconds, begun by somebody who does not wait for it. */
export interface Slow {
  /** the send */
  readonly talk: Talk;
  /** as the send was answered */
  readonly task: LooseTask;
  /** milliseconds until the send was answered */
  readonly answeredIn: number;
  /** GetTask, asked at once */
  readonly first: Talk;
}

export const slow = observation<Slow>({
  name: "a slow task, not waited for",
  messages: 1,
  prompts: ["slow"],
  rank: 4,
  async make(lab) {
    const talk = await lab.send("slow", { configuration: { returnImmediately: true } });
    const task = taskIn(talk);
    if (!task) {
      throw messageIn(talk)
        ? skipped("prompt", "the slow message was answered without a task", "prompts.slow in assay.yaml")
        : skipped("unstable", `the slow message was not taken: ${describeReply(talk)}`);
    }
    return { talk, task, answeredIn: talk.exchange.timing.end, first: await lab.call("GetTask", { id: task.id }) };
  },
});
