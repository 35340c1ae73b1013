import { isTaskState } from "@assay/protocol";
import { isInternal, matches } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { describeReply, errorOf, isEnded, taskIn } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import { assertNotCut, wholeEvents } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import {
  type Cancelled,
  type CancelledAgain,
  canceledTask,
  canceledTaskLater,
  cancelled,
  cancelledAgain,
  endedEarly,
  slowerPrompt,
} from "../../observations/cancelled.ts";

import { openAgain } from "../../observations/ended-task.ts";

const canceled = "TASK_STATE_CANCELED";

export const returnsTheTask = activeCheck("CANCEL-001", {
  uses: { cancelled },
  also: { cancelledAgain },
  judge({ cancelled: first, cancelledAgain: more }) {
    const { id, cancel, settled } = first;
    const saw = describeReply(cancel);
    const details = { saw, want: "the Task with its id and its new status", at: cancel };
    const error = errorOf(cancel);
    // CANCEL-008 judges the form of a refusal.
    if (
      error &&
      (matches(cancel, "TaskNotCancelable") || matches(cancel, "UnsupportedOperation") || isInternal(cancel))
    )
      return notApplicable("the agent does not cancel working tasks");
    const task = taskIn(cancel);
    if (!task) {
      return cancel.reply.is === "failure"
        ? crashed("CancelTask for a working task gets no response", details)
        : breach(
            isNotServed(cancel) ? "operation-not-served" : "broken",
            `CancelTask for a working task returns ${error ? "an error" : "something other than a Task"}`,
            details,
          );
    }
    if (task.id !== id) return broken("CancelTask returns a different task than the canceled one", details);
    if (task.state === canceled) return holds();
    if (more?.second && endedEarly(more.second, more.usualMs)) return endsOtherwise(first, more.second, more.usualMs);
    if (isEnded(task.state)) return excused(first, more);
    const later = settled && taskIn(settled)?.state;
    if (later !== undefined && later !== canceled && isEnded(later)) {
      return breach("cancel-without-effect", "CancelTask has no effect: the task runs to its end", {
        saw: `${task.state}, then ${later}`,
        want: "CANCELED, or TaskNotCancelableError",
        at: [cancel, settled!],
      });
    }
    return holds(`CancelTask returns the task in ${task.state}; its later state is ${later ?? "unknown"}`, cancel);
  },
});

/** Reports two tasks that ended right after the cancel, long before their usual time, and not as CANCELED. */
function endsOtherwise(first: Cancelled, second: Cancelled, usualMs: number): Finding {
  const usual = Number.isFinite(usualMs) ? `; without a cancel it takes ${Math.round(usualMs)} ms` : "";
  const { state, afterMs } = second.otherwise!;
  return breach("cancel-ends-otherwise", `CancelTask ends the task in ${state}, not in CANCELED`, {
    saw: `${state} ${Math.round(afterMs)} ms after the cancel, twice${usual}`,
    want: "CANCELED, or TaskNotCancelableError",
    remedy: "End a canceled task in the state CANCELED. If that is impossible, return TaskNotCancelableError.",
    at: [first, second].flatMap((seen) => (seen.settled ? [seen.cancel, seen.settled] : [seen.cancel])),
  });
}

/** Judges a task that CancelTask returned as ended, which may have happened by itself. */
function excused({ otherwise }: Cancelled, more: CancelledAgain | undefined): Finding {
  if (more?.second?.settled && taskIn(more.second.settled)?.state === canceled)
    return holds("the first task ended just before the cancel; the second was canceled", more.second.cancel);
  const because = more
    ? "the slow task ended before it could be canceled"
    : `the task ended in ${otherwise?.state} when it was canceled, perhaps by itself`;
  return notExamined("prompt", because, slowerPrompt);
}

export const twiceDoesNoHarm = activeCheck("CANCEL-004", {
  uses: { canceledTask },
  judge({ canceledTask: { again } }) {
    if (!again) return notExamined("not-triggered", "the task did not become CANCELED");
    const { cancel, after } = again;
    const saw = describeReply(cancel);
    const details = { saw, want: "the canceled Task, or TaskNotCancelable", at: cancel };
    if (isInternal(cancel)) return crashed("a second CancelTask returns an internal error", details);
    if (cancel.reply.is === "failure") return crashed("a second CancelTask gets no response", details);
    const state = taskIn(after)?.state;
    if (state !== undefined && state !== canceled) {
      return broken("a second CancelTask changes the state of a canceled task", {
        saw: state,
        want: canceled,
        at: [after, cancel],
      });
    }
    const task = taskIn(cancel);
    if (task) {
      if (task.state === canceled) return holds();
      return broken("a second CancelTask returns the task in a state other than CANCELED", {
        ...details,
        saw: brief(task.state),
      });
    }
    if (matches(cancel, "TaskNotCancelable") || matches(cancel, "TaskNotFound")) return holds();
    return breach("other-reason", "a second CancelTask returns an error other than TaskNotCancelable", details);
  },
});

const messagesOfUser = (call: Call): number =>
  (taskIn(call)?.history ?? []).filter(({ role }) => role === "ROLE_USER").length;

export const staysCanceled = activeCheck("CANCEL-005", {
  uses: { canceledTaskLater },
  judge({ canceledTaskLater: { cancel, settled, later } }) {
    // A missing task may have been deleted.
    const moved = [settled, later].find((call) => (taskIn(call)?.state ?? canceled) !== canceled);
    if (!moved) return holds();
    const { state } = taskIn(moved)!;
    if (!isTaskState(state!))
      return notExamined("prerequisite", `GetTask returns ${brief(state)}, which is not a state`);
    // Another check may have sent it a message; SEND-008 judges whether the agent may accept one.
    if (messagesOfUser(moved) > messagesOfUser(settled)) return notExamined("not-triggered", openAgain);
    return broken("a canceled task leaves the state CANCELED", {
      saw: `GetTask: ${taskIn(moved)?.state}`,
      want: canceled,
      at: [cancel, moved],
    });
  },
});

export const streamsHearOfIt = activeCheck("CANCEL-006", {
  uses: { canceledTask },
  judge({ canceledTask: { stream, settled, cancel } }, target) {
    if (!stream && target.facts.streaming)
      return notExamined("prompt", "no working task could be streamed", "prompts.slow in assay.yaml");
    if (!stream) return notApplicable("the card does not declare streaming");
    if (taskIn(settled)?.state !== canceled) return notExamined("not-triggered", "the task did not become CANCELED");
    const { call, closed } = stream;
    const events = wholeEvents(call);
    const details = {
      saw: `the last event is ${brief(events.at(-1)?.json)}`,
      want: "a status update with TASK_STATE_CANCELED, and the end of the stream",
      at: [call, cancel],
    };
    assertNotCut(call);
    if (!closed) return broken("the agent does not close the stream of a canceled task", details);
    if (events.some(({ state }) => state === canceled)) return holds();
    if (events.some(({ state }) => isEnded(state)))
      return broken("the stream of a canceled task reports another terminal state", details);
    return breach("end-not-told", "the stream of a canceled task ends without reporting CANCELED", details);
  },
});

export const refusedInOrder = activeCheck("CANCEL-008", {
  uses: { cancelled },
  judge({ cancelled: { cancel } }) {
    const state = taskIn(cancel)?.state;
    if (isEnded(state) && state !== canceled)
      return notExamined("not-triggered", `the task ended in ${state} when it was canceled`);
    if (taskIn(cancel)) return holds();
    const saw = describeReply(cancel);
    const details = { saw, want: "TaskNotCancelable, or the canceled Task", at: cancel };
    // CANCEL-001 judges whether a response is required.
    if (cancel.reply.is === "failure") return notExamined("unstable", `CancelTask got no response: ${saw}`);
    if (!errorOf(cancel)) return breach("unreadable-answer", "CancelTask returns neither a Task nor an error", details);
    if (isInternal(cancel)) return crashed("CancelTask for a working task returns an internal error", details);
    if (matches(cancel, "TaskNotCancelable")) return holds("the agent does not cancel working tasks");
    const message = "CancelTask for a working task returns an error other than TaskNotCancelable";
    return breach("other-reason", message, details);
  },
});
