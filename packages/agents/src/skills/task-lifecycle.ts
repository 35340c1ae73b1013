import { artifact, skill, status } from "../definition/skill.ts";

export const taskLifecycle = skill("task-lifecycle", {
  name: "Task lifecycle",
  description: "Takes a task from submitted through working to completed, with one text artifact.",
  tags: ["task", "artifact"],
  examples: ["task-lifecycle process this"],

  *run({ text }) {
    yield status("working");
    yield artifact("result", `[task-lifecycle] Processed: ${text}`, { last: true });
    yield status("completed");
  },
});
