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

export const notWhenEnded = activeCheck({
  id: "CANCEL-002",
  uses: { endedCancel },
  also: { messagesToFailedTasks },
  async judge({ endedCancel: { task, canceled, got }, messagesToFailedTasks: others = [] }, target) {
    const findings = [judgeCancel(task, canceled, got)];
    for (const { after } of others) {
      const other = taskIn(after);
      // One that took the message it was sent is not at its end any more.
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

/** How CancelTask was answered for a task that had ended, and whether it is as it was. */
function judgeCancel(task: LooseTask, canceled: Call, got: Call): Finding {
  const state = taskIn(got)?.state;
  if (state !== undefined && state !== task.state) {
    return broken("CancelTask changes the state of a task that had ended", {
      saw: state,
      want: task.state ?? "the state it had ended with",
      at: [canceled, got],
    });
  }
  return expectError(canceled, "TaskNotCancelable", { what: "CancelTask for a task that has ended" });
}

export const notWhenUnknown = activeCheck({
  id: "CANCEL-003",
  uses: { unknownTask },
  judge: ({ unknownTask: asked }, target) => expectNotFound(cancelIn(asked), "CancelTask with an unknown id", target),
});

// It is asked of every agent.
const cancelIn = (asked: SentCalls<{ operation: string; call: Call }>): Call =>
  sentCall(asked, ({ operation }) => operation === "CancelTask")!.call;

export const takesMetadata = activeCheck({
  id: "CANCEL-007",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const plain = cancelIn(asked);
    const metadata = { "https://example.com/assay": { reason: "none", count: 1 } };
    const adorned = await target.call("CancelTask", { id: target.unknownId(), metadata });
    const alike = nameOf(adorned) === nameOf(plain);
    if (!alike) {
      return broken("CancelTask is answered differently when it comes with metadata", {
        saw: describeReply(adorned),
        want: describeReply(plain),
        remedy:
          "Accept `metadata` (any object) in CancelTaskRequest, and look the task up by `id` as you do without it.",
        at: [adorned, plain],
      });
    }
    return judgeWithoutId(target);
  },
});

/** What an error is, apart from its words. */
function nameOf(call: Call): string {
  const error = errorOf(call);
  return error ? `${error.code ?? error.grpc?.code ?? error.http} ${error.reason ?? ""}` : call.reply.is;
}

/** Over HTTP+JSON the id is part of the address and cannot be left out. */
async function judgeWithoutId(target: Target): Promise<Finding> {
  if (target.on.binding === "HTTP+JSON") return holds();
  const finding = expectInvalid(await target.call("CancelTask", {}), "CancelTask without an id");
  return isBreach(finding)
    ? { ...finding, remedy: "Refuse CancelTask without an `id` as invalid parameters, before you look the task up." }
    : finding;
}
