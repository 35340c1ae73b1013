import { skill, status } from "../definition/skill.ts";

export const rejected = skill("rejected", {
  name: "Rejected",
  description: "Rejects the task before working on it.",
  tags: ["task", "rejected"],
  examples: ["rejected no matter what"],

  async *run() {
    yield status("rejected", "[rejected] This agent declines the task.");
  },
});
