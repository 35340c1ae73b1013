import { isDeepStrictEqual } from "node:util";
import { brief } from "../../answers/loose-json.ts";
import { describeReply, type LooseTask, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { canceledTask, canceledTaskLater } from "../../observations/cancelled.ts";
import { endedTask, messagesToFailedTasks, openAgain, taskAfterEnd } from "../../observations/ended-task.ts";
import { sendInVain } from "../../observations/sending.ts";
import { ifSent } from "../../observations/sent-calls.ts";
import { expectUnsupported } from "../errors/expect.ts";
import { contentOf } from "../send/complete-answers.ts";
import { idReused, isReused } from "./reused-id.ts";
import { isSameTime, timeOf } from "./times.ts";

export const takesNoMore = activeCheck("SEND-008", {
  uses: { endedTask },
  also: { messagesToFailedTasks, canceledTask },
  async judge({ endedTask: { addressed }, messagesToFailedTasks: others = [], canceledTask: canceled }, target) {
    const toCanceled = canceled && (await ifSent(goOnWithCanceled(canceled.id, target)));
    const tried = [addressed, ...others.map((other) => other.addressed), ...(toCanceled ? [toCanceled] : [])];
    return tried.map((call) => expectUnsupported(call, "SendMessage to an ended task"));
  },
});

/** Sends a message to a canceled task, if it is in fact canceled. */
async function goOnWithCanceled(id: string, target: Target): Promise<Call | undefined> {
  if (taskIn(await target.call("GetTask", { id }))?.state !== "TASK_STATE_CANCELED") return undefined;
  return sendInVain(target, { taskId: id });
}

export const staysEnded = activeCheck("LIFE-002", {
  uses: { taskAfterEnd },
  also: { messagesToFailedTasks, canceledTaskLater },
  judge({ taskAfterEnd: { ended, endedAt, after }, messagesToFailedTasks: others = [], canceledTaskLater: canceled }) {
    const now = taskIn(after);
    const pairs = [
      ...(canceled ? statesAfterCancel(canceled) : []),
      { before: ended, now, at: [endedAt, after] },
      ...others.map((one) => ({ before: one.task, now: taskIn(one.after), at: [one.addressed, one.after] })),
    ];
    const moved = pairs.find((pair) => pair.now && pair.now.state !== pair.before.state);
    if (moved) {
      // Assay requested the cancel, so this breach has its own code.
      const isCanceled = moved.now?.state === "TASK_STATE_CANCELED";
      return breach(isCanceled ? "ended-task-canceled" : "broken", "the state of an ended task changes", {
        saw: `${moved.before.state}, then ${moved.now?.state ?? "no state"}`,
        want: `${moved.before.state} permanently`,
        at: moved.at,
      });
    }
    if (!now) return gone(describeReply(after));
    if (!isDeepStrictEqual(now.artifacts.map(contentOf), ended.artifacts.map(contentOf))) {
      return breach("artifacts-changed", "the artifacts of an ended task change", {
        saw: `${idsOf(ended)}, then ${idsOf(now)}`,
        want: "the same artifacts as at its end",
        at: [endedAt, after],
      });
    }
    return holds();
  },
});

/** Returns each read after the first that shows the task as canceled, together with that first one. */
function statesAfterCancel({ cancel, settled, later }: { cancel: Call; settled: Call; later: Call }) {
  const calls = [cancel, settled, later];
  const first = calls.findIndex((call) => taskIn(call)?.state === "TASK_STATE_CANCELED");
  const before = taskIn(calls[first]!)!;
  return calls.slice(first + 1).map((call) => ({ before, now: taskIn(call), at: [calls[first]!, call] }));
}

export const keepsItsTime = activeCheck("LIFE-009", {
  requires: ["scenario:task"],
  uses: { taskAfterEnd },
  judge({ taskAfterEnd: { ended, endedAt, after, reopened } }) {
    const now = taskIn(after);
    if (!now) return gone(describeReply(after));
    if (reopened) return notExamined("not-triggered", openAgain);
    const [then, later] = [timeOf(ended), timeOf(now)];
    if (then === undefined || later === undefined) return holds("the status has no timestamp");
    if (!isSameTime(then, later) && now.state === ended.state) {
      if (isReused(ended, now, after)) return idReused;
      return broken("the timestamp of an unchanged status differs between two reads", {
        saw: `${then}, then ${later}`,
        want: "the time at which the status was recorded",
        at: [endedAt, after],
      });
    }
    if (Math.abs(Date.parse(then) - Date.now()) > clockSlackMs) {
      return breach("clock-skew", "the timestamp of a status is more than five minutes off", {
        saw: then,
        want: "the time at which the status was recorded",
        at: endedAt,
      });
    }
    return holds();
  },
});

/** More than the usual difference between two clocks. */
const clockSlackMs = 5 * 60 * 1000;

const gone = (saw: string) =>
  notExamined("not-triggered", `the agent no longer returns the ended task: ${brief(saw, 80)}`);

const idsOf = ({ artifacts }: LooseTask): string => brief(artifacts.map(({ artifactId }) => artifactId));
