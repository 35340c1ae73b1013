import { isEnded, taskIn } from "../../answers/reading.ts";
import { assertNotCut, wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, holds, notApplicable } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";

export const closingSnapshot = activeCheck({
  id: "STREAM-024",
  title: "the Task that may close a stream is the task as it ended",
  remedy: "Take the closing Task from where GetTask takes it, after the terminal status is stored.",
  uses: { taskStream },
  async judge({ taskStream: { call, taskId } }, target) {
    const events = wholeEvents(call);
    assertNotCut(call);
    const last = events.at(-1);
    if (!events.some(({ state }) => isEnded(state))) return notApplicable("the stream told of no end");
    if (events.length < 2 || last?.is !== "task" || taskId === undefined) return holds();
    const got = await target.call("GetTask", { id: taskId });
    const task = taskIn(got);
    if (!task || (last.taskId === task.id && last.state === task.state)) return holds();
    return breach("stale-snapshot", "the Task that closes a stream is not the task as it ended", {
      saw: `${last.taskId} in ${last.state}`,
      want: `${task.id} in ${task.state}`,
      at: [call, got],
    });
  },
});
