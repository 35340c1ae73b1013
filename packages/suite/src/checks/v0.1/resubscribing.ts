import { isInternal } from "../../answers/expect-error.ts";
import { brief, describeReply, errorOf } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { broken, crashed, holds, notExamined } from "../../define/finding.ts";
import { abandonedStream } from "../../observations/abandoned-stream-v0.1.ts";
import { subscribeToBeRefused } from "../../observations/subscribing.ts";
import { saidEvents } from "./said.ts";

const comesBack = activeCheck({
  id: "V01-SUB-001",
  title: "a client that left a stream can come back and hears how the task ends",
  remedy: "Answer tasks/resubscribe for a task at work with a stream of what follows, up to the final event.",
  uses: { abandonedStream },
  judge({ abandonedStream: { back } }) {
    if (!back)
      return notExamined("prompt", "the slow task was over before its client came back", "prompts.slow in assay.yaml");
    const want = "a stream of the events that follow, up to the final one";
    const { refused, stream } = back;
    if (refused) {
      const details = { saw: describeReply(refused), want, at: refused };
      assertReadable(refused);
      if (isInternal(refused)) return crashed("tasks/resubscribe is answered with an internal error", details);
      return broken("tasks/resubscribe is refused for a task that is at work", details);
    }
    if (back.complete) return holds();
    wholeEvents(stream);
    return broken("tasks/resubscribe does not tell how the task ended", {
      saw: `${saidEvents(stream).length} events, the last ${brief(saidEvents(stream).at(-1))}`,
      want,
      at: stream,
    });
  },
});

const notToUnknown = activeCheck({
  id: "V01-SUB-002",
  title: "tasks/resubscribe for an unknown task is refused",
  remedy: "Refuse tasks/resubscribe for an id that you do not know, with -32001 (TaskNotFoundError).",
  uses: {},
  async judge(_seen, target) {
    const call = await subscribeToBeRefused(target, { id: target.unknownId() });
    const what = "tasks/resubscribe with an unknown id";
    const details = { saw: describeReply(call), want: "error.code -32001", at: call };
    if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
    assertReadable(call);
    if (call.reply.is === "failure") return crashed(`${what} gets no answer`, details);
    // A failure may be told by HTTP alone (§7.7).
    const status = call.exchange.http.response?.status ?? 0;
    if (errorOf(call) || (call.reply.is === "malformed" && status >= 400)) return holds();
    return broken(`${what} is served`, details);
  },
});

export const resubscribingChecks: readonly Check[] = [comesBack, notToUnknown];
