import { matches } from "../expect-error.ts";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { concernsNobody, skipped } from "../obstacle.ts";
import { errorOf, eventsOf, isAtRest, isEnded, type LooseEvent, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { isSilent } from "./streamed.ts";
import { beginSlow, tellsEnd } from "./watched.ts";

/** A task that was cancelled while it was at work. */
export interface Cancelled {
  readonly id: string;
  /** when it was begun, by the lab's clock */
  readonly begunAt: number;
  /** how CancelTask was answered */
  readonly cancel: Talk;
  /** GetTask when the task had come to rest, or when our patience was at its end; absent where cancelling was refused */
  readonly settled: Talk | undefined;
  /** the stream of the task, where there is one */
  readonly stream:
    | { readonly talk: Talk; readonly events: readonly LooseEvent[]; readonly closed: boolean }
    | undefined;
  /** a second CancelTask, and GetTask after it; absent where the task is not canceled */
  readonly again: { readonly cancel: Talk; readonly after: Talk } | undefined;
}

export const cancelled = observation<Cancelled>({
  name: "a task that is cancelled",
  messages: 1,
  prompts: ["slow"],
  rank: 4,
  async make(lab) {
    const begunAt = lab.now();
    const { id, live, state } = lab.facts.streaming ? await beginSlow(lab) : await beginUnseen(lab);
    if (isAtRest(state)) throw tooLate();
    const cancel = await lab.call("CancelTask", { id });
    if (errorOf(cancel) || !taskIn(cancel)) {
      await live?.hangUp();
      const now = await lab.call("GetTask", { id });
      if (matches(cancel, "TaskNotCancelable") && isEnded(taskIn(now)?.state)) throw tooLate();
      // One that has ended may be gone at once (§3.3.2).
      if (matches(cancel, "TaskNotFound") && matches(now, "TaskNotFound")) throw tooLate();
      return { id, begunAt, cancel, settled: undefined, stream: undefined, again: undefined };
    }
    const settled = await untilAtRest(lab, id);
    const stream = live && (await concluded());
    const canceled = taskIn(settled)?.state === "TASK_STATE_CANCELED";
    const again = canceled
      ? { cancel: await lab.call("CancelTask", { id }), after: await lab.call("GetTask", { id }) }
      : undefined;
    return { id, begunAt, cancel, settled, stream, again };

    async function concluded() {
      await live!.until(tellsEnd, lab.grace);
      const talk = await live!.rest(lab.grace);
      return { talk, events: eventsOf(talk), closed: live!.ended && !isSilent(talk) };
    }
  },
});

/** The task once it is canceled: rules about that concern nobody who did not cancel it. */
export const canceledTask = observation<Cancelled & { readonly settled: Talk }>({
  name: "a canceled task",
  messages: 0,
  uses: [cancelled],
  async make(lab) {
    const seen = await lab.observe(cancelled);
    const { settled } = seen;
    if (!settled) throw concernsNobody("the agent does not cancel a task at work");
    return { ...seen, settled };
  },
});

const tooLate = () =>
  skipped("prompt", "the slow task was over before it could be cancelled", "prompts.slow in assay.yaml");

/** Without a stream: begun by somebody who does not wait. */
async function beginUnseen(lab: Lab): Promise<{ id: string; live: undefined; state: string | undefined }> {
  const talk = await lab.send("slow", { configuration: { returnImmediately: true } });
  const task = taskIn(talk);
  if (!task) throw skipped("prompt", "the slow message was answered without a task", "prompts.slow in assay.yaml");
  return { id: task.id, live: undefined, state: task.state };
}

/** A cancel that was only taken note of has the grace time to come about (AMB-12). */
async function untilAtRest(lab: Lab, id: string): Promise<Talk> {
  const deadline = lab.now() + lab.grace;
  for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
    const got = await lab.call("GetTask", { id });
    const task = taskIn(got);
    if (!task || isAtRest(task.state) || lab.now() + pause > deadline) return got;
    await lab.sleep(pause);
  }
}
