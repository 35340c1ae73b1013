import { artifact, numberAt, skill, status } from "../definition/skill.ts";

export const chunks = skill("chunks", {
  name: "Chunks",
  description: "Streams an artifact in <n> chunks of <bytes> each, as fast as possible or <milliseconds> apart.",
  tags: ["task", "streaming", "load"],
  examples: ["chunks 100", "chunks 1000 64", "chunks 20 64 500"],

  async *run({ argument, signal, clock }) {
    const count = numberAt(argument, 0, 10, 100_000);
    const bytes = numberAt(argument, 1, 16, 65_536);
    const pauseMs = numberAt(argument, 2, 0, 60_000);
    // Limits the task size, however many chunks there are.
    const size = Math.max(1, Math.min(bytes, Math.floor(32_000_000 / Math.max(count, 1))));
    yield status("working");
    for (let chunk = 1; chunk <= count && !signal.aborted; chunk++) {
      const text = `${chunk} `.padEnd(size, ".").slice(0, Math.max(size, String(chunk).length));
      yield artifact("chunks", text, { append: chunk > 1, last: chunk === count });
      // A canceled skill reports that itself.
      if (pauseMs && chunk < count) await clock.sleep(pauseMs, signal).catch(() => {});
    }
    yield status(signal.aborted ? "canceled" : "completed");
  },
});
