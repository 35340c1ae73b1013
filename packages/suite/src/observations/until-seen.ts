import { type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { Obstacle } from "../define/obstacle.ts";
import type { Due, Target } from "../define/target.ts";

type Patient = Pick<Target, "sleep" | "due">;

/**
 * Repeats a request until the response shows what was written, or it is overdue, because a replica may lag. The last
 * response counts.
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
 * Milliseconds for push configurations to appear and disappear. Less than for others, because their task ends
 * meanwhile, and an ended task may lose them (AMB-35).
 */
export const configLagMs = 2_000;

/**
 * Repeats a request in the same way, with a fixed time and fixed pauses. The response time of each call does not count.
 */
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
    // The last pause is short, so that the whole time is used.
    const next = Math.min(pause, left);
    await target.sleep(next);
    left -= next;
  }
}

/**
 * Tries until one attempt is complete, and returns the most complete one. A task that ends too soon is a coincidence,
 * so another attempt is worthwhile while there are messages for it. `wholeness` is 1 for a complete attempt.
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

/** The prompt did not trigger its usual behaviour. */
export const isWorthAnotherTry = ({ kind }: Obstacle): boolean =>
  kind.is === "not-examined" && kind.reason === "prompt";

/** Returns those of these tasks that GetTask still finds: ended ones may be purged at any time (§3.3.2). */
export async function stillThere(target: Target, tasks: readonly LooseTask[]): Promise<readonly LooseTask[]> {
  const read = async ({ id }: LooseTask) => taskIn(await target.call("GetTask", { id }, { mayBeGone: true }));
  const found = await Promise.all(tasks.map(read));
  return tasks.filter((_task, index) => found[index]);
}

/** A list that must contain certain tasks. */
export interface Listed<T> {
  readonly list: T;
  /** the tasks that it lacks although GetTask found them before the list and after it */
  readonly omitted: readonly LooseTask[];
}

/**
 * Repeats a list until it contains all tasks that still exist, or the grace time ends. A task that a lagging replica
 * does not know yet looks like a deleted one, so it does not count as omitted when it appears later.
 */
export async function untilListed<T>(
  target: Target,
  ask: () => Promise<T>,
  lackedBy: (list: T) => readonly LooseTask[],
): Promise<Listed<T>> {
  let before: readonly LooseTask[] | undefined;
  let omitted: readonly LooseTask[] = [];
  const list = await untilSeen(target, "list", ask, async (list) => {
    const there = await stillThere(target, lackedBy(list));
    omitted = there.filter((task) => before?.includes(task) ?? true);
    before = there;
    return there.length === 0;
  });
  return { list, omitted };
}

/**
 * Reads a task over another interface than its own, until it is found or the grace time ends. `here` asks its own
 * interface, if the other does not find it.
 */
export async function readElsewhere(
  reader: Target,
  maker: Target,
  id: string,
): Promise<{ readonly got: Call; readonly here?: Call }> {
  const read = () => reader.call("GetTask", { id }, { mayBeGone: true });
  const first = await read();
  if (taskIn(first)) return { got: first };
  // Throws if the task is gone on every interface.
  await maker.call("GetTask", { id });
  const got = await untilSeen(reader, "read", read, (call) => taskIn(call) !== undefined);
  return taskIn(got) ? { got } : { got, here: await maker.call("GetTask", { id }) };
}
