import { expectError, expectInvalid } from "../../answers/expect-error.ts";
import { describeReply, errorOf, isEnded, type LooseTask, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, isBreach } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { endedCancel, messagesToFailedTasks } from "../../observations/ended-task.ts";

import { ifSent, type SentCalls, sentCall } from "../../observations/sent-calls.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { expectNotFound } from "../errors/expect.ts";

export const notWhenEnded = activeCheck("CANCEL-002", {
  uses: { endedCancel },
  also: { messagesToFailedTasks },
  async judge({ endedCancel: { task, canceled, got }, messagesToFailedTasks: others = [] }, target) {
    const findings = [judgeCancel(task, canceled, got)];
    for (const { after } of others) {
      const other = taskIn(after);
      // A task that accepted the message has not ended any more.
      if (!other || !isEnded(other.state)) continue;
      const finding = await ifSent(cancelAgain(other, target));
      if (finding) findings.push(finding);
    }
    return findings;
  },
});

async function cancelAgain(task: LooseTask, target: Target): Promise<Finding> {
  const canceled = await target.call("CancelTask", { id: task.id });
  return judgeCancel(task, canceled, await target.call("GetTask", { id: task.id }));
}

/** Judges CancelTask for an ended task, and whether the task is unchanged. */
function judgeCancel(task: LooseTask, canceled: Call, got: Call): Finding {
  const state = taskIn(got)?.state;
  if (state !== undefined && state !== task.state) {
    return broken("CancelTask changes the state of an ended task", {
      saw: state,
      want: task.state ?? "the state in which it ended",
      at: [canceled, got],
    });
  }
  return expectError(canceled, "TaskNotCancelable", { what: "CancelTask for an ended task" });
}

export const notWhenUnknown = activeCheck("CANCEL-003", {
  uses: { unknownTask },
  judge: ({ unknownTask: asked }, target) => expectNotFound(cancelIn(asked), "CancelTask with an unknown id", target),
});

// Assay makes this call on every agent, so it exists.
const cancelIn = (asked: SentCalls<{ operation: string; call: Call }>): Call =>
  sentCall(asked, ({ operation }) => operation === "CancelTask")!.call;

export const takesMetadata = activeCheck("CANCEL-007", {
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const plain = cancelIn(asked);
    const metadata = { "https://example.com/assay": { reason: "none", count: 1 } };
    const adorned = await target.call("CancelTask", { id: target.unknownId(), metadata });
    const alike = nameOf(adorned) === nameOf(plain);
    if (!alike) {
      return broken("CancelTask returns a different response if the request has metadata", {
        saw: describeReply(adorned),
        want: describeReply(plain),
        remedy: "Accept `metadata` (any object) in CancelTaskRequest. Look the task up by `id`, as without metadata.",
        at: [adorned, plain],
      });
    }
    return judgeWithoutId(target);
  },
});

/** Identifies an error without its message. */
function nameOf(call: Call): string {
  const error = errorOf(call);
  return error ? `${error.code ?? error.grpc?.code ?? error.http} ${error.reason ?? ""}` : call.reply.is;
}

/** Over HTTP+JSON the id is part of the path and cannot be omitted. */
async function judgeWithoutId(target: Target): Promise<Finding> {
  if (target.on.binding === "HTTP+JSON") return holds();
  const finding = expectInvalid(
    await target.call("CancelTask", {}, { share: "without an id" }),
    "CancelTask without an id",
  );
  return isBreach(finding)
    ? {
        ...finding,
        remedy: "Return an invalid-parameters error for CancelTask without an `id`, before you look the task up.",
      }
    : finding;
}
