import { skill } from "../definition/skill.ts";

export const throwing = skill("throw", {
  name: "Throw",
  description: "Crashes inside the skill. The server must still return a valid error.",
  tags: ["task", "failure"],
  examples: ["throw"],

  // biome-ignore lint/correctness/useYield: the point is that it never gets there
  async *run() {
    throw new Error("This skill crashes on purpose, and this text must never reach a client.");
  },
});
