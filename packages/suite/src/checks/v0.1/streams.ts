import { isInternal } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, taskIn } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { streamEnding, wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { twoTasksAtOnce } from "../../observations/contexts.ts";
import { abandonedStream } from "../../observations/older.ts";
import { streamInVain, subscribeInVain } from "../../observations/sending.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { stillThere } from "../../observations/until-seen.ts";
import { artifactsIn, isLastState, saidEvents, sentCall, stateIn } from "./said.ts";

export const endsWithFinal = passiveCheck("V01-STREAM-001", {
  shownBy: [taskStream],
  judge(call) {
    const events = saidEvents(call).filter((event) => "status" in event);
    const early = events.find((event) => event["final"] === true && isAtWork(stateIn(event)));
    if (early) {
      return broken("an event has final: true while its task is working", {
        saw: brief(early),
        want: "final: true only on the status that ends the task or waits for input",
      });
    }
    const end = events.findLast((event) => isLastState(stateIn(event)));
    if (!end) return undefined;
    if (events.some((event) => event["final"] === true)) return holds();
    // If the stream was cut off, the marked event may be lost.
    if (streamEnding(call) === "cut") return undefined;
    return broken("the event that ends a task does not have final: true", { saw: brief(end), want: "final: true" });
  },
});

const isAtWork = (state: string | undefined): boolean => state === "submitted" || state === "working";

export const beginsWithStatus = passiveCheck("V01-STREAM-002", {
  shownBy: [taskStream],
  judge(call) {
    const [first] = saidEvents(call);
    if (sentCall(call)?.method !== "tasks/sendSubscribe" || !first) return undefined;
    // The stream of a message to a waiting task begins with its waiting state.
    if (isAtWork(stateIn(first)) || stateIn(first) === "input-required") return holds();
    const what = "artifact" in first ? "an artifact" : `the status ${brief(stateIn(first), 40)}`;
    return broken("the stream does not begin with the status submitted or working", {
      saw: `${what}: ${brief(first)}`,
      want: "a status event with submitted or working (0.1 does not require it, but its clients expect it)",
    });
  },
});

export const nothingAfterFinal = passiveCheck("V01-STREAM-003", {
  shownBy: [taskStream],
  judge(call) {
    const events = saidEvents(call);
    const end = events.findIndex((event) => event["final"] === true);
    if (end < 0) return undefined;
    const after = events[end + 1];
    if (!after) return holds();
    return broken("the stream has an event after the final one", { saw: brief(after), want: "the end of the stream" });
  },
});

export const eventsNameTheTask = passiveCheck("V01-STREAM-005", {
  shownBy: [taskStream, twoTasksAtOnce],
  judge(call) {
    const asked = sentCall(call)?.params["id"];
    const events = saidEvents(call);
    if (asked === undefined || events.length === 0) return undefined;
    return events.map(({ id, ...event }): Finding => {
      if (id === asked) return holds();
      const details = { saw: brief({ id, ...event }), want: `id ${brief(asked, 60)}` };
      if (typeof id === "number") return breach("number-as-id", "the id of an event is a number", details);
      return broken("an event has a different id than the client chose for the task", details);
    });
  },
});

export const chunksOnTheArtifact = passiveCheck("V01-STREAM-006", {
  shownBy: [taskStream],
  judge(call) {
    const events = saidEvents(call).filter((event) => "artifact" in event);
    if (events.length === 0) return undefined;
    const other = events.find((event) => "append" in event || "lastChunk" in event);
    if (!other) return holds();
    return broken("append or lastChunk is on the event instead of the artifact", {
      saw: brief(other, 240),
      want: "artifact.append and artifact.lastChunk",
    });
  },
});

export const appendsToSomething = activeCheck("V01-STREAM-007", {
  uses: { taskStream },
  judge({ taskStream: { call } }) {
    const begun = new Set<unknown>();
    const chunks = saidEvents(call).flatMap((event) => artifactsIn(event));
    if (chunks.length === 0) return notApplicable("the stream contains no artifact");
    for (const chunk of chunks) {
      const index = chunk["index"] ?? 0;
      if (chunk["append"] === true && !begun.has(index)) {
        return broken("the stream appends a chunk to an artifact that has no first chunk", {
          saw: brief(chunk),
          want: "the first chunk of an index without append",
          at: call,
        });
      }
      begun.add(index);
    }
    return holds();
  },
});

export const outlivesTheClient = activeCheck("V01-STREAM-008", {
  uses: { abandonedStream },
  also: { taskAtRest },
  async judge({ abandonedStream: { id, got, last, call }, taskAtRest: older }, target) {
    const details = { saw: describeReply(got), want: "the task", at: [got, call] };
    if (isInternal(got))
      return crashed("tasks/get returns an internal error after the client closed the stream", details);
    if (got.reply.is === "failure")
      return crashed("tasks/get gets no response after the client closed the stream", details);
    const task = taskIn(got);
    if (!task || (typeof task.json["id"] === "string" && task.id !== id))
      return broken("tasks/get does not return the task after the client closed the stream", details);
    if (!last) {
      // The task may have ended and been deleted, unless an older ended task still exists.
      const kept = older && (await stillThere(target, [older.last]));
      return kept?.length
        ? broken("the agent loses a task after its client closed the stream", details)
        : notExamined("not-triggered", "the agent does not keep ended tasks");
    }
    if (last.state !== "TASK_STATE_CANCELED" && last.state !== "TASK_STATE_FAILED") return holds();
    return breach("task-ends-with-stream", "a task does not complete after its client closed the stream", {
      ...details,
      saw: last.state,
      want: "the task continues by itself",
    });
  },
});

export const noStreaming = activeCheck("V01-STREAM-009", {
  async judge(_seen, target) {
    const call = await streamInVain(target);
    const what = "tasks/sendSubscribe without the streaming capability";
    const details = answerOf(call, "error.code -32006");
    if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
    const code = errorOf(call)?.code;
    // A missing method may be unknown, and HTTP alone may report early failures (§7.2).
    if (code !== undefined && [-32006, -32004, -32601].includes(code)) return holds();
    if (call.reply.is === "malformed" && (call.exchange.http.response?.status ?? 0) >= 400) return holds();
    if (code === undefined) assertReadable(call);
    return code === undefined
      ? broken(`${what} succeeds`, details)
      : breach("other-reason", `${what} returns an error with another code`, details);
  },
});

export const servedAtTheUrl = passiveCheck("V01-STREAM-010", {
  shownBy: [taskStream],
  judge(call) {
    if (sentCall(call)?.method !== "tasks/sendSubscribe" || saidEvents(call).length === 0) return undefined;
    const { url } = call.exchange.http.request;
    if (new URL(url).pathname === new URL(call.on.url).pathname) return holds();
    return broken("the agent serves tasks/sendSubscribe under /subscribe, not at the url of the card", {
      saw: `a stream from ${brief(url, 100)}`,
      want: `a stream from ${brief(call.on.url, 100)}`,
    });
  },
});

export const comesBack = activeCheck("V01-SUB-001", {
  uses: { abandonedStream },
  judge({ abandonedStream: { back } }) {
    if (!back)
      return notExamined(
        "prompt",
        "the slow task ended before the client subscribed again",
        "prompts.slow in assay.yaml",
      );
    const want = "a stream of the following events, up to the final one";
    const { refused, stream } = back;
    if (refused) {
      const details = answerOf(refused, want);
      assertReadable(refused);
      if (isInternal(refused)) return crashed("tasks/resubscribe returns an internal error", details);
      return broken("the agent refuses tasks/resubscribe for a working task", details);
    }
    if (back.complete) return holds();
    wholeEvents(stream);
    return broken("tasks/resubscribe does not report the end of the task", {
      saw: `${saidEvents(stream).length} events, the last ${brief(saidEvents(stream).at(-1))}`,
      want,
      at: stream,
    });
  },
});

export const notToUnknown = activeCheck("V01-SUB-002", {
  async judge(_seen, target) {
    const call = await subscribeInVain(target, { id: target.unknownId() });
    const what = "tasks/resubscribe with an unknown id";
    const details = answerOf(call, "error.code -32001");
    if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
    assertReadable(call);
    if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
    // HTTP alone may report a failure (§7.7).
    const status = call.exchange.http.response?.status ?? 0;
    if (errorOf(call) || (call.reply.is === "malformed" && status >= 400)) return holds();
    return broken(`${what} succeeds`, details);
  },
});
