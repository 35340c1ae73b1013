import { artifact, numberAt, skill, status } from "../definition/skill.ts";

export const failAfter = skill("fail-after", {
  name: "Fail after",
  description: "Sends <n> artifact chunks and then fails.",
  tags: ["task", "failure", "streaming"],
  examples: ["fail-after 3"],

  async *run({ argument }) {
    const count = numberAt(argument, 0, 1, 1_000);
    yield status("working");
    for (let chunk = 1; chunk <= count; chunk++) {
      yield artifact("partial", `[fail-after] Chunk ${chunk}\n`, { append: chunk > 1 });
    }
    yield status("failed", `[fail-after] Failed after ${count} chunks.`);
  },
});
