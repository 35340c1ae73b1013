import { expectError } from "../../answers/expect-error.ts";
import { errorOf, isEnded, taskIn } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { activeCheck } from "../../define/check.ts";
import { type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { endedTask, messagesToFailedTasks, openAgain } from "../../observations/ended-task.ts";
import { streamOfUnknownMediaType } from "../../observations/odd-messages.ts";
import { streamInVain } from "../../observations/sending.ts";
import { ifSent, sentCall } from "../../observations/sent-calls.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { expectTaskNotFound, expectUnsupported } from "../errors/expect.ts";

export const noStreaming = activeCheck("STREAM-015", {
  async judge(_seen, target) {
    const call = await streamInVain(target);
    return expectUnsupported(call, "SendStreamingMessage without the streaming capability");
  },
});

export const noStreamToEndedTask = activeCheck("STREAM-016", {
  uses: { endedTask },
  also: { messagesToFailedTasks },
  async judge({ endedTask: { task, reopened }, messagesToFailedTasks: others = [] }, target) {
    const findings = [reopened ? notExamined("not-triggered", openAgain) : await judgeStream(task.id, target)];
    for (const { after } of others) {
      // Stops at the first accepted message, to save the agent work.
      if (findings.some(({ is }) => is === "breach")) break;
      const other = taskIn(after);
      const finding = other && isEnded(other.state) ? await ifSent(judgeStream(other.id, target)) : undefined;
      if (finding) findings.push(finding);
    }
    return findings;
  },
});

async function judgeStream(taskId: string, target: Target): Promise<Finding> {
  const call = await streamInVain(target, { taskId });
  return expectUnsupported(call, "SendStreamingMessage to an ended task");
}

export const noStreamToUnknownTask = activeCheck("STREAM-017", {
  uses: { unknownTask },
  also: { sentMessage },
  judge({ unknownTask: asked, sentMessage: sent }, target) {
    const call = sentCall(asked, ({ operation }) => operation === "SendStreamingMessage")?.call;
    if (!call) return notExamined("not-triggered", "SendStreamingMessage was not sent");
    return expectTaskNotFound(call, "SendStreamingMessage with an unknown taskId", sent, target);
  },
});

export const unreadableMedia = activeCheck("STREAM-018", {
  // An accepted plain message shows that the media type is the reason for the refusal.
  uses: { streamOfUnknownMediaType, taskStream },
  judge({ streamOfUnknownMediaType: call }) {
    assertReadable(call);
    // A stream that the agent ends without an event is not a response. A stream that Assay closed may be one.
    const isTaken = call.reply.is === "stream" && (call.reply.events.length > 0 || call.reply.failure !== undefined);
    if (!errorOf(call) && isTaken) return holds("the agent accepts parts with an unknown media type");
    return expectError(call, "ContentTypeNotSupported", {
      what: "SendStreamingMessage with an unknown media type",
      also: ["InvalidParams"],
    });
  },
});
