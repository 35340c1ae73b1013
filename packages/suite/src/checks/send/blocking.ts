import { asObject } from "../../answers/loose-json.ts";
import { describeReply, errorOf, isAtRest, isEnded, taskIn } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import { wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, holds, notExamined } from "../../define/finding.ts";
import { messageWithMetadata } from "../../observations/adorned-messages.ts";
import { follow, sentMessage } from "../../observations/sent-message.ts";
import { slowTask, slowTaskAlone, tellingMs } from "../../observations/slow-task.ts";
import { streamReturningImmediately } from "../../observations/stream-returning-immediately.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { assertTellsTheEnd } from "../stream/ending.ts";

export const blocks = passiveCheck("SEND-010", {
  shownBy: [sentMessage, messageWithMetadata],
  judge(call) {
    const task = taskIn(call);
    if (call.operation !== "SendMessage" || !call.fair || !task) return undefined;
    if (asObject(call.params?.["configuration"])?.["returnImmediately"] === true) return undefined;
    if (isAtRest(task.state)) return holds();
    // Other rules judge an invalid state.
    if (task.state !== "TASK_STATE_SUBMITTED" && task.state !== "TASK_STATE_WORKING") return undefined;
    return broken("SendMessage returns while the task is still working", {
      saw: task.state,
      want: "a task that has ended, or waits for input or authorization",
    });
  },
});

export const returnsAtOnce = activeCheck("SEND-012", {
  uses: { slowTask, messageWithMetadata, slowTaskAlone },
  alone: true,
  judge({ slowTask: { task }, messageWithMetadata: { call: waited, answeredIn: worked }, slowTaskAlone: alone }) {
    if (!isAtRest(task.state)) return holds();
    if (!alone) {
      return notExamined(
        "prompt",
        "the slow prompt finishes too fast to tell if the agent waits for it",
        "prompts.slow in assay.yaml",
      );
    }
    if (!alone.task)
      return notExamined("not-triggered", `the agent made no task this time: ${describeReply(alone.call)}`);
    if (!isAtRest(alone.task.state)) return holds();
    // A read shows how long any response takes, and the same message without returnImmediately how long the work takes.
    const { answeredIn, readIn } = alone;
    if (answeredIn < Math.max(readIn + tellingMs, readIn * 2, worked / 2)) {
      return notExamined(
        "prompt",
        "the task ended sooner when Assay sent nothing else, too fast to tell if the agent waits for it",
        "prompts.slow in assay.yaml",
      );
    }
    return broken("SendMessage with returnImmediately returns only when the work is done", {
      saw: `${alone.task.state}`,
      want: "a response as soon as the task exists",
      at: [alone.call, waited],
    });
  },
});

/** A task that GetTask finds only later than this, and only ended, was not stored until its end. */
const lagMs = 500;

export const goesOnAlone = activeCheck("SEND-013", {
  uses: { slowTask },
  async judge({ slowTask: { call, task, first, found, missedFor } }, target) {
    if (!taskIn(first)) {
      if (isEnded(task.state)) return notExamined("not-triggered", "the agent does not keep ended tasks");
      if (!errorOf(first)) return notExamined("not-triggered", `GetTask returns no task: ${describeReply(first)}`);
      // A replica may lag. A task that appears only when it has ended was not stored earlier.
      const state = taskIn(found)?.state;
      if (isEnded(state) && (missedFor < lagMs || target.lag > 0))
        return notExamined("prompt", "the task ended before a replica could show it", "prompts.slow in assay.yaml");
      if (state === undefined || isEnded(state)) {
        const code = isNotServed(first) ? "operation-not-served" : "broken";
        return breach(code, "GetTask does not find a task that SendMessage just returned", {
          saw: describeReply(first),
          want: "the task, while it is working",
          at: [first, found, call],
        });
      }
    }
    const { last } = await follow(target, task);
    if (!last) return notExamined("not-triggered", "the agent does not keep ended tasks");
    if (isAtRest(last.state)) return holds();
    return notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
  },
});

export const streamsOn = activeCheck("SEND-015", {
  requires: ["streaming"],
  uses: { streamReturningImmediately },
  also: { taskStream },
  judge({ streamReturningImmediately: { call, closed }, taskStream: plain }) {
    const events = wholeEvents(call);
    const done = events.some(({ is, state }) => is === "message" || isAtRest(state));
    if (done) return holds();
    if (!closed) return notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
    if (plain) assertTellsTheEnd(plain);
    return broken("a stream requested with returnImmediately closes before the task has ended", {
      saw: `${events.length} events, the last in ${events.findLast(({ state }) => state !== undefined)?.state ?? "no state"}`,
      want: "events until the task ends or waits",
      at: call,
    });
  },
});
