import {
  artifact,
  numberAt,
  type SkillEvent,
  type SkillEvents,
  skill,
  status,
  type Turn,
} from "../definition/skill.ts";

export const chunks = skill("chunks", {
  name: "Chunks",
  description: "Streams an artifact in <n> chunks of <bytes> each, as fast as possible or <milliseconds> apart.",
  tags: ["task", "streaming", "load"],
  examples: ["chunks 100", "chunks 1000 64", "chunks 20 64 500"],

  run(turn) {
    const pauseMs = numberAt(turn.argument, 2, 0, 60_000);
    return pauseMs ? paced(turn, pauseMs) : inARow(turn);
  },
});

function* inARow(turn: Turn): Generator<SkillEvent, void, undefined> {
  const count = numberAt(turn.argument, 0, 10, 100_000);
  const bytes = numberAt(turn.argument, 1, 16, 65_536);
  // Limits the task size, however many chunks there are.
  const size = Math.max(1, Math.min(bytes, Math.floor(32_000_000 / Math.max(count, 1))));
  yield status("working");
  for (let chunk = 1; chunk <= count && !turn.canceled; chunk++) {
    const text = `${chunk} `.padEnd(size, ".").slice(0, Math.max(size, String(chunk).length));
    yield artifact("chunks", text, { append: chunk > 1, last: chunk === count });
  }
  yield status(turn.canceled ? "canceled" : "completed");
}

async function* paced(turn: Turn, pauseMs: number): SkillEvents {
  for (const event of inARow(turn)) {
    yield event;
    // A canceled skill reports that itself.
    if (event.is === "artifact" && !event.lastChunk) await turn.clock.sleep(pauseMs, turn.signal).catch(() => {});
  }
}
