import { artifact, numberAt, skill, status } from "../definition/skill.ts";

export const manyArtifacts = skill("many-artifacts", {
  name: "Many artifacts",
  description: "Returns <n> artifacts with one text part each.",
  tags: ["task", "artifact"],
  examples: ["many-artifacts 10"],

  async *run({ argument }) {
    const count = numberAt(argument, 0, 3, 1_000);
    yield status("working");
    for (let n = 1; n <= count; n++) yield artifact(`artifact-${n}`, `[many-artifacts] Number ${n}`, { last: true });
    yield status("completed");
  },
});
