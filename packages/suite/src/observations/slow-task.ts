import { describeReply, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, observation } from "../define/observation.ts";
import { noTask } from "./no-task.ts";

/** A task, slow where we know how, begun by a client that neither waits for it nor wants its history. */
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
  /** milliseconds between the two */
  readonly missedFor: number;
  /** when it was begun, by the clock of `Target.now` */
  readonly begunAt: number;
}

export const slowTask = observation<SlowTask>({
  name: "a task that is not waited for",
  messages: 1,
  prompts: [["slow", "task"]],
  rank: 4,
  async make(target) {
    const kind = firstKnown(target, "slow", "task");
    const begunAt = target.now();
    const call = await target.send(kind, { configuration: { returnImmediately: true, historyLength: 0 } });
    const task = taskIn(call);
    if (!task) {
      throw messageIn(call) ? noTask(kind) : skippedFor(call, `the message was not taken: ${describeReply(call)}`);
    }
    const first = await target.call("GetTask", { id: task.id }, { unrepeated: true });
    const askedAt = target.now();
    const found = taskIn(first) ? first : await target.call("GetTask", { id: task.id }, { mayBeGone: true });
    const missedFor = taskIn(first) ? 0 : target.now() - askedAt;
    return { call, task, answeredIn: call.exchange.timing.end, first, found, missedFor, begunAt };
  },
});
