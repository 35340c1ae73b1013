import type { StreamResponse } from "@assay/protocol";
import type { Layers } from "../definition/layers.ts";
import type { SkillEvent, Turn } from "../definition/skill.ts";

/** Resolves when the client disconnects. */
export const gone = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

/** A stream that closes without an event. */
export async function* nothing(): AsyncGenerator<StreamResponse> {}

/** A stream without events that stays open until the client disconnects. */
// biome-ignore lint/correctness/useYield: saying nothing is the point
export async function* silence(signal: AbortSignal): AsyncGenerator<StreamResponse> {
  await gone(signal);
}

/** Changes each event of a skill. */
export const eachSkillEvent = (change: (event: SkillEvent, turn: Turn) => SkillEvent): NonNullable<Layers["events"]> =>
  async function* (events, turn) {
    for await (const event of events) yield change(event, turn);
  };
