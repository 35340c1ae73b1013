import { isEnded, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import { follow } from "./sent-message.ts";

/** A message under the id of a task of 0.1 that has ended: a task of its own, because it may begin anew. */
export const messageToEndedTask = observation<Call>({
  name: "a message to a task that has ended",
  messages: 2,
  prompts: ["task"],
  rank: 6,
  async make(target) {
    const made = taskIn(await target.send("task"));
    const { last } = made ? await follow(target, made) : {};
    if (!last || !isEnded(last.state)) throw doesNotApply("the task that was made did not end by itself");
    return target.send("task", { message: { taskId: last.id } });
  },
});
