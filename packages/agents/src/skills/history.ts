import { numberAt, skill, status } from "../definition/skill.ts";

export const history = skill("history", {
  name: "History",
  description: "Adds <n> agent messages to the task's history.",
  tags: ["task", "history"],
  examples: ["history 5"],

  async *run({ argument }) {
    const count = numberAt(argument, 0, 3, 1_000);
    for (let n = 1; n <= count; n++) yield status("working", `[history] Message ${n} of ${count}`);
    yield status("completed");
  },
});
