import { codeOfForm, isInternal, isPassing } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import {
  answerOf,
  describeReply,
  errorOf,
  eventsOf,
  isAnswered,
  type LooseTask,
  messageIn,
  taskIn,
} from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { conversation, inputRequired } from "../../observations/conversation.ts";
import { type AnsweredInFull, answeredInFull } from "../../observations/list-pages.ts";

export const infersTheContext = activeCheck("CTX-010", {
  uses: { conversation },
  judge({ conversation: { asked, answer, last, got, said } }) {
    if (!asked.contextId) return notApplicable("the agent's tasks have no contextId");
    const isOther = (contextId: string | undefined): boolean => !!contextId && contextId !== asked.contextId;
    const details = (contextId: string | undefined) => ({
      saw: `contextId ${brief(contextId, 60)}`,
      want: `contextId ${brief(asked.contextId, 60)}`,
      at: [answer, got],
    });
    const shown = [taskIn(answer)?.contextId, asText(messageIn(answer)?.["contextId"]), last.contextId];
    const other = shown.find(isOther);
    if (other !== undefined)
      return broken("the response to a message with only a taskId has another contextId", details(other));
    // Assay sent it without a contextId, so the agent added this one.
    const kept = [...(taskIn(answer)?.history ?? []), ...last.history]
      .filter(({ messageId }) => messageId === said.at(-1))
      .map(({ contextId }) => asText(contextId))
      .find(isOther);
    if (kept !== undefined)
      return broken("the agent stores a message with only a taskId in a context other than the task's", details(kept));
    const now = taskIn(got);
    return now && forgets(asked, now) ? historyLost(asked, now, [answer, got]) : holds();
  },
});

const idsIn = ({ history }: LooseTask): readonly string[] =>
  history.flatMap(({ messageId }) => asText(messageId) ?? []);

/** Returns true if the history lost all earlier messages. */
function forgets(before: LooseTask, after: LooseTask): boolean {
  const [earlier, kept] = [idsIn(before), new Set(idsIn(after))];
  return earlier.length > 0 && !earlier.some((id) => kept.has(id));
}

const historyLost = (before: LooseTask, after: LooseTask, at: readonly Call[]): Finding =>
  breach("history-lost", "after a follow-up the history of the task has lost all earlier messages", {
    saw: `${after.history.length} messages, none of the ${before.history.length} before`,
    want: "the earlier messages too",
    at,
  });

export const refusesMismatch = activeCheck("CTX-011", {
  uses: { inputRequired },
  judge({ inputRequired: { task, crossed, crossedStream, after } }) {
    if (!crossed || !after) return notApplicable("the agent's tasks have no contextId");
    if (crossedStream && !errorOf(crossedStream) && eventsOf(crossedStream).length > 0 && errorOf(crossed)) {
      return broken(
        "SendStreamingMessage with a contextId that is not the task's returns no error",
        answerOf(crossedStream, "an error, such as InvalidParams"),
      );
    }
    const details = { saw: describeReply(crossed), want: "an error, such as InvalidParams", at: [crossed, after] };
    if (isInternal(crossed)) {
      return crashed("SendMessage with a contextId that is not the task's returns an internal error", details);
    }
    if (crossed.reply.is === "failure") {
      return crashed("SendMessage with a contextId that is not the task's gets no response", details);
    }
    if (crossed.reply.is === "malformed") {
      return breach(
        codeOfForm(crossed, "InvalidParams"),
        "SendMessage with a contextId that is not the task's returns a malformed response",
        details,
      );
    }
    if (!errorOf(crossed))
      return broken("SendMessage with a contextId that is not the task's returns no error", details);
    const now = taskIn(after);
    if (now && now.state !== task.state) {
      return broken("SendMessage with a contextId that is not the task's is refused, but still changes the task", {
        ...details,
        saw: `${task.state}, then ${now.state}`,
      });
    }
    return holds();
  },
});

export const goesOn = activeCheck("CTX-013", {
  uses: { conversation },
  also: { answeredInFull },
  judge({ conversation: { asked, answer, last, got }, answeredInFull: inFull }) {
    if (!isAnswered(answer)) {
      return broken("the agent refuses the user's answer to its own question", answerOf(answer, "the task, continued"));
    }
    const task = taskIn(answer);
    if (task && task.id !== asked.id) {
      return broken("the user's answer to the agent's question starts another task", {
        saw: `id ${brief(task.id, 60)}`,
        want: `id ${asked.id}`,
        at: answer,
      });
    }
    if (statusOf(last, answer.on) === statusOf(asked, answer.on)) {
      if (messageIn(answer)) return holds("the agent responded with a message and left the task unchanged");
      return breach("still-waiting", "the user's answer to the agent's question leaves the task unchanged", {
        saw: brief(last.json["status"]),
        want: "a new status",
        at: [answer, got],
      });
    }
    return inFull ? namedTwice(inFull) : holds();
  },
});

/** Judges an answer that also has the task's contextId, and that is streamed if possible. */
function namedTwice({ asked, answer, refused }: AnsweredInFull): Finding {
  const want = "the task, continued";
  if (!answer.streamed && errorOf(answer) && !isPassing(answer)) {
    return broken(
      "the agent refuses the user's answer to its question if it has both taskId and contextId",
      answerOf(answer, want),
    );
  }
  if (refused && errorOf(refused) && !isPassing(refused)) {
    return broken("the agent refuses the user's answer to its question only if it is streamed", {
      saw: describeReply(refused),
      want,
      at: [refused, answer],
    });
  }
  const id = taskIn(answer)?.id ?? eventsOf(answer).find(({ is, taskId }) => is !== "message" && taskId)?.taskId;
  if (id === undefined || id === asked.id) return holds();
  const how = answer.streamed ? "if it is streamed" : "if it has a contextId too";
  return broken(`the user's answer to the agent's question starts another task ${how}`, {
    saw: `id ${brief(id, 60)}`,
    want: `id ${asked.id}`,
    at: answer,
  });
}

/** Returns the status with its message and time, because a second question is progress too. */
function statusOf({ json }: LooseTask, { dialect }: Call["on"]): string {
  const { message, ...status } = asObject(json["status"]) ?? {};
  // Messages of 0.1 have no id; Assay adds one when it reads them.
  const { messageId, ...said } = asObject(message) ?? {};
  return JSON.stringify({ ...status, said, ...(dialect !== "0.1" && { messageId }) });
}

export const answersWithTheTask = activeCheck("LIFE-008", {
  uses: { conversation },
  judge({ conversation: { answer } }) {
    if (taskIn(answer)) return holds();
    if (!messageIn(answer))
      return notExamined("unstable", `the agent did not accept the message: ${describeReply(answer)}`);
    return broken("the agent responds to a message that continues a task with a message", {
      saw: brief(messageIn(answer)),
      want: "the task",
      at: answer,
    });
  },
});
