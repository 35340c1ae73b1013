import type { JsonObject } from "@assay/protocol";
import { probe } from "../../../check.ts";
import { expectError, matches } from "../../../expect-error.ts";
import { type Finding, holds, notExamined } from "../../../finding.ts";
import type { Lab } from "../../../lab.ts";
import { badEndings } from "../../../observations/bad-endings.ts";
import { endedTask } from "../../../observations/ended-task.ts";
import { strangeStream } from "../../../observations/strange-stream.ts";
import { streamed } from "../../../observations/streamed.ts";
import { slowestRefusalMs } from "../../../observations/subscribing.ts";
import { unknownTask } from "../../../observations/unknown-task.ts";
import { errorOf, isEnded, taskIn } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { worstOf } from "../../../worst-of.ts";
import { expectNotFound } from "../../lifecycle/not-found.ts";
import { expectUnsupported } from "../../lifecycle/unsupported.ts";

/** A stream that is to be refused: how it was. */
async function streamInVain(lab: Lab, message: ReturnType<Lab["message"]>): Promise<Talk> {
  const timeout = Math.max(lab.grace, slowestRefusalMs);
  // A message of ours is JSON.
  const params: JsonObject = { message: message as unknown as JsonObject };
  const live = await lab.open("SendStreamingMessage", params, { refusable: true, timeout });
  const first = await live.peek(timeout);
  return live.rest(first ? lab.quiet : 0);
}

export const noStreaming = probe({
  id: "STREAM-015",
  title: "an agent that does not claim streaming refuses SendStreamingMessage",
  remedy: "Refuse SendStreamingMessage with UnsupportedOperationError, or set capabilities.streaming to true.",
  uses: {},
  async probe(_seen, lab) {
    const talk = await streamInVain(lab, lab.message("task"));
    return expectUnsupported(talk, "SendStreamingMessage to an agent that does not claim streaming");
  },
});

export const noStreamToEndedTask = probe({
  id: "STREAM-016",
  title: "a streamed message to an ended task is refused",
  remedy: "Refuse messages to tasks in a terminal state with UnsupportedOperationError before the stream opens.",
  uses: { endedTask },
  also: { badEndings },
  async probe({ endedTask: { task }, badEndings: others = [] }, lab) {
    const findings = [await judgeStream(task.id, lab)];
    for (const { after } of others) {
      const other = taskIn(after);
      if (other && isEnded(other.state)) findings.push(await judgeStream(other.id, lab));
    }
    return worstOf("STREAM-016", findings, lab);
  },
});

async function judgeStream(taskId: string, lab: Lab): Promise<Finding> {
  const talk = await streamInVain(lab, lab.message("task", { taskId }));
  if (matches(talk, "TaskNotFound") && !taskIn(await lab.call("GetTask", { id: taskId })))
    return notExamined("no-occasion", "the agent does not keep tasks that have ended");
  return expectUnsupported(talk, "SendStreamingMessage to a task that has ended");
}

export const noStreamToUnknownTask = probe({
  id: "STREAM-017",
  title: "a streamed message to an unknown task is refused as not found",
  remedy: "Refuse a message whose taskId you do not know with TaskNotFoundError; do not make a task of that id.",
  uses: { unknownTask },
  probe({ unknownTask: asked }, lab) {
    const talk = asked.find(({ operation }) => operation === "SendStreamingMessage")?.talk;
    if (!talk) return notExamined("no-occasion", "it was not asked for");
    return expectNotFound(talk, "SendStreamingMessage with an unknown taskId", lab);
  },
});

export const unreadableMedia = probe({
  id: "STREAM-018",
  title: "a stream refused for its media type is refused with that reason",
  remedy: "Refuse parts of a media type you cannot read with ContentTypeNotSupportedError.",
  // The plain message that is taken shows that it is the media type that is refused.
  uses: { strangeStream, streamed },
  probe({ strangeStream: talk }) {
    if (!errorOf(talk) && talk.reply.is === "stream") return holds("the agent takes parts of an unknown media type");
    return expectError(talk, "ContentTypeNotSupported", {
      what: "SendStreamingMessage with a part of an unknown media type",
      also: ["InvalidParams"],
    });
  },
});
