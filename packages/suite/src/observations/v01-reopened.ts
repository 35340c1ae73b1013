import { observation } from "../observation.ts";
import { concernsNobody } from "../obstacle.ts";
import { isEnded, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { follow } from "./settled.ts";

/** A message under the id of a task of 0.1 that has ended: a task of its own, because it may begin anew. */
export const reopened = observation<Talk>({
  name: "a message to a task that has ended",
  messages: 2,
  prompts: ["task"],
  rank: 6,
  async make(lab) {
    const made = taskIn(await lab.send("task"));
    const { last } = made ? await follow(lab, made) : {};
    if (!last || !isEnded(last.state)) throw concernsNobody("the task that was made did not end by itself");
    return lab.send("task", { message: { taskId: last.id } });
  },
});
