import { observation } from "../observation.ts";
import { type LooseTask, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { follow } from "./settled.ts";

/** A task whose artifacts hold a file, and how GetTask showed it at the end. */
export interface Filed {
  readonly talk: Talk;
  readonly last: LooseTask | undefined;
}

export const filed = observation<Filed>({
  name: "a task with a file",
  messages: 1,
  prompts: ["file"],
  rank: 6,
  async make(lab) {
    const talk = await lab.send("file");
    const task = taskIn(talk);
    return { talk, last: task && (await follow(lab, task)).last };
  },
});
