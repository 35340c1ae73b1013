import { skill, status } from "../definition/skill.ts";

export const taskFailure = skill("task-failure", {
  name: "Task failure",
  description: "Starts working, then fails with a reason in the status message.",
  tags: ["task", "failure"],
  examples: ["task-failure please"],

  async *run() {
    yield status("working");
    yield status("failed", "[task-failure] This task fails on purpose.");
  },
});
