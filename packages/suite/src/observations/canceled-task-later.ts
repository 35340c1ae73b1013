import { taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { type Cancelled, canceledTask } from "./cancelled.ts";
import { severalSubscribers } from "./several-subscribers.ts";

/** A task that was said to be canceled, and what GetTask says once the work would have been over. */
interface CanceledTaskLater extends Cancelled {
  readonly settled: Call;
  readonly later: Call;
}

/** Longer than this we wait for no worker that might come back. */
const longestMs = 30_000;

export const canceledTaskLater = observation<CanceledTaskLater>({
  name: "a canceled task after its time",
  messages: 0,
  uses: [canceledTask],
  async make(target) {
    const seen = await target.observe(canceledTask);
    const { id, cancel, settled, begunAt } = seen;
    if (![cancel, settled].some((call) => taskIn(call)?.state === "TASK_STATE_CANCELED"))
      throw skipped("not-triggered", "the task did not become CANCELED");
    const usual = target.hasPrompt("slow") ? await target.observe(severalSubscribers) : undefined;
    // A worker that does not know of it is done when the task would have been.
    const due = begunAt + Math.min((usual?.tookMs ?? 2 * target.quiet) * 1.1 + 200, longestMs);
    await target.sleep(Math.max(0, due - target.now()));
    return { ...seen, later: await target.call("GetTask", { id }, { mayBeGone: true }) };
  },
});
