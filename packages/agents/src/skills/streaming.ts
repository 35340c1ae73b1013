import { artifact, skill, status } from "../definition/skill.ts";

const chunks = 4;

export const streaming = skill("streaming", {
  name: "Streaming",
  description: "Streams one artifact in four chunks, half a second apart.",
  tags: ["task", "streaming", "artifact"],
  examples: ["streaming hello"],

  async *run({ text, clock, signal }) {
    yield status("working", "[streaming] Starting streamed response...");
    for (let chunk = 1; chunk <= chunks; chunk++) {
      await clock.sleep(500, signal);
      yield artifact("stream-result", `[streaming] Chunk ${chunk}: ${text}\n`, {
        append: chunk > 1,
        last: chunk === chunks,
      });
    }
    yield status("completed");
  },
});
