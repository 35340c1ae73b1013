import { type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import type { Target } from "../define/target.ts";
import { untilSeen } from "./until-seen.ts";

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
