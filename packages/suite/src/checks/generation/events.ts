import { generationOf } from "../../answers/generation.ts";
import { isEnded, type LooseEvent, taskIn } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { uncounted } from "../../observations/generations.ts";
import { type TaskStream, taskStream } from "../../observations/task-stream.ts";
import { changing } from "./counting.ts";

/** An event of a stream with its generation. */
interface Counted {
  readonly event: LooseEvent;
  readonly generation: bigint;
  /** the event reports the state that the task already had */
  readonly repeatsState: boolean;
}

/** Returns the counted events of a stream, in order. GEN-001 reports the others. */
export function countedIn(events: readonly LooseEvent[]): readonly Counted[] {
  let state = events.find(({ is }) => is === "task")?.state;
  return changing(events).flatMap((event) => {
    const repeatsState = event.is === "status" && event.state === state;
    if (event.is === "status") state = event.state;
    const generation = generationOf(event.content);
    return generation === undefined ? [] : [{ event, generation, repeatsState }];
  });
}

/** Judges the steps between the generations of a stream, from its opening Task on. */
export function stepsOf({ events, call }: Pick<TaskStream, "events" | "call">): Finding {
  const counted = countedIn(events);
  if (!counted.length) return notApplicable(uncounted);
  let before = generationOf(events.find(({ is }) => is === "task")?.content);
  for (const [index, { generation, event }] of counted.entries()) {
    const step = before === undefined ? 1n : generation - before;
    // The opening Task may be newer than the first event, and GEN-004 reports repeated values.
    const isFine = step === 1n || step === 0n || (index === 0 && step < 0n);
    if (!isFine)
      return broken("the generation does not rise by 1 from event to event", {
        saw: `${before}, then ${generation} in the ${event.is} update`,
        want: `${before! + 1n}`,
        at: call,
      });
    before = generation;
  }
  return holds();
}

/** Looks for two events with one generation. */
export function repeatsIn({ events, call }: Pick<TaskStream, "events" | "call">): Finding[] {
  const counted = countedIn(events);
  if (!counted.length) return [notApplicable(uncounted)];
  const seen = new Set<bigint>();
  const repeated = counted.filter(({ generation }) => seen.size === seen.add(generation).size);
  const found = repeated.map(({ generation, event, repeatsState }): Finding => {
    const details = { saw: `${generation} again, in the ${event.is} update`, want: "another generation", at: call };
    return repeatsState
      ? breach("same-state-same-generation", "a status update that changes no state repeats a generation", details)
      : broken("two events of a task have the same generation", details);
  });
  return found.length ? found : [holds()];
}

export const eventOrder: readonly Check[] = [
  activeCheck("GEN-003", { uses: { taskStream }, judge: ({ taskStream: stream }) => stepsOf(stream) }),

  activeCheck("GEN-004", { uses: { taskStream }, judge: ({ taskStream: stream }) => repeatsIn(stream) }),

  activeCheck("GEN-005", {
    uses: { taskStream },
    async judge({ taskStream: { events, call, taskId } }, target) {
      const last = countedIn(events).at(-1);
      if (!last || taskId === undefined) return notApplicable(uncounted);
      if (last.event.is !== "status" || !isEnded(last.event.state))
        return notExamined("not-triggered", "the last event of the stream did not report the end of the task");
      const got = await target.call("GetTask", { id: taskId });
      const task = taskIn(got);
      const generation = generationOf(task?.json);
      // A replica may not know the end yet.
      if (!task || generation === undefined || !isEnded(task.state))
        return notExamined("not-triggered", "GetTask did not return the generation of the ended task");
      if (generation === last.generation) return holds();
      return broken("the last event does not carry the generation of the task after it", {
        saw: `${last.generation} in the last event, ${generation} in the task`,
        want: "the same generation",
        at: [call, got],
      });
    },
  }),
];
