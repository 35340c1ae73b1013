import { type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { Obstacle } from "../define/obstacle.ts";
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

/**
 * Tries until one try shows everything, and returns the one that shows most. A task that is over too soon is bad luck, so it is
 * worth another try, while there are messages for trying again. `wholeness` is 1 for a try that shows everything.
 */
export async function untilWhole<T>(
  target: Pick<Target, "messagesLeft">,
  tries: readonly (() => Promise<T>)[],
  wholeness: (seen: T) => number,
): Promise<T> {
  let best: { readonly seen: T; readonly whole: number } | undefined;
  let obstacle: Obstacle | undefined;
  for (const [index, make] of tries.entries()) {
    if (index > 0 && target.messagesLeft() === 0) break;
    try {
      const seen = await make();
      const whole = wholeness(seen);
      if (!best || whole > best.whole) best = { seen, whole };
      if (whole >= 1) break;
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      obstacle ??= error;
      if (!isWorthAnotherTry(error)) break;
    }
  }
  if (best) return best.seen;
  throw obstacle!;
}

/** The prompt did not bring about what it usually does. */
export const isWorthAnotherTry = ({ kind }: Obstacle): boolean =>
  kind.is === "not-examined" && kind.reason === "prompt";

/** Returns those of these tasks that GetTask still finds: ended ones may be purged at any time (§3.3.2). */
export async function stillThere(target: Target, tasks: readonly LooseTask[]): Promise<readonly LooseTask[]> {
  const read = async ({ id }: LooseTask) => taskIn(await target.call("GetTask", { id }, { mayBeGone: true }));
  const found = await Promise.all(tasks.map(read));
  return tasks.filter((_task, index) => found[index]);
}

/** Asks for a list until it lacks none of the tasks that are still there, or the grace time is over. */
export const untilListed = <T>(
  target: Target,
  ask: () => Promise<T>,
  lackedBy: (list: T) => readonly LooseTask[],
): Promise<T> =>
  untilSeen(target, "list", ask, async (list) => {
    const lacked = lackedBy(list);
    return lacked.length === 0 || (await stillThere(target, lacked)).length === 0;
  });

/**
 * Reads a task over another interface than the one it was made on, until it is found there or the grace time is over.
 * `here` is how the maker's interface finds it, where the other one does not.
 */
export async function readElsewhere(
  reader: Target,
  maker: Target,
  id: string,
): Promise<{ readonly got: Call; readonly here?: Call }> {
  const read = () => reader.call("GetTask", { id }, { mayBeGone: true });
  const first = await read();
  if (taskIn(first)) return { got: first };
  // Ends here where the task is gone for everybody.
  await maker.call("GetTask", { id });
  const got = await untilSeen(reader, "read", read, (call) => taskIn(call) !== undefined);
  return taskIn(got) ? { got } : { got, here: await maker.call("GetTask", { id }) };
}
