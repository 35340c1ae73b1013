import { artifact, numberAt, skill, status } from "../definition/skill.ts";

export const big = skill("big", {
  name: "Big",
  description: "Returns one text artifact of <bytes>.",
  tags: ["task", "load"],
  examples: ["big 100000"],

  async *run({ argument }) {
    yield status("working");
    yield artifact("big", "x".repeat(numberAt(argument, 0, 1_000, 8_000_000)), { last: true });
    yield status("completed");
  },
});
