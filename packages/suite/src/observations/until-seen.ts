import type { Due, Target } from "../define/target.ts";

type Patient = Pick<Target, "sleep" | "due">;

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

/**
 * How long push configurations may take to appear and disappear, in milliseconds: less than other things, because their
 * task ends meanwhile, and an ended task may forget them (AMB-35).
 */
export const configLagMs = 2_000;

/** The same for so long, in pauses: how long each answer takes says nothing of how late the thing itself is. */
export async function askedFor<T>(
  target: Pick<Patient, "sleep">,
  withinMs: number,
  ask: () => Promise<T>,
  isSeen: (answer: T) => boolean | Promise<boolean>,
): Promise<{ readonly answer: T; readonly shows: boolean }> {
  let left = withinMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
    const answer = await ask();
    const shows = await isSeen(answer);
    if (shows || left <= 0) return { answer, shows };
    // The last pause is a short one, so that the whole of the time is given.
    const next = Math.min(pause, left);
    await target.sleep(next);
    left -= next;
  }
}
