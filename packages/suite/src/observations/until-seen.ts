import type { Target } from "../target.ts";

/**
 * Asks until the answer shows what was written, or the grace is over: a replica may hear of it a moment later. The last
 * answer is the one that counts.
 */
export async function untilSeen<T>(
  target: Pick<Target, "now" | "sleep" | "grace">,
  ask: () => Promise<T>,
  isSeen: (answer: T) => boolean | Promise<boolean>,
  withinMs: number = target.grace,
): Promise<T> {
  const deadline = target.now() + withinMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
    const answer = await ask();
    if ((await isSeen(answer)) || target.now() + pause > deadline) return answer;
    await target.sleep(pause);
  }
}
