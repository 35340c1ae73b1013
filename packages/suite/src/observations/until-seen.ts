import type { Due } from "../due.ts";
import type { Target } from "../target.ts";

type Patient = Pick<Target, "now" | "sleep" | "due">;

/**
 * Asks until the answer shows what was written, or it is overdue: a replica may hear of it a moment later. The last answer
 * is the one that counts.
 */
export async function untilSeen<T>(
  target: Patient,
  due: Due,
  ask: () => Promise<T>,
  isSeen: (answer: T) => boolean | Promise<boolean>,
): Promise<T> {
  const wait = (withinMs: number) => askedFor(target, withinMs, ask, isSeen);
  return (await target.due(due, wait, ({ shows }) => shows)).answer;
}

/** The same for so long. */
export async function askedFor<T>(
  target: Pick<Patient, "now" | "sleep">,
  withinMs: number,
  ask: () => Promise<T>,
  isSeen: (answer: T) => boolean | Promise<boolean>,
): Promise<{ readonly answer: T; readonly shows: boolean }> {
  const deadline = target.now() + withinMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
    const answer = await ask();
    const shows = await isSeen(answer);
    if (shows || target.now() + pause > deadline) return { answer, shows };
    await target.sleep(pause);
  }
}
