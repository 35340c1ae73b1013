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
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { conversation, inputRequired } from "../../observations/conversation.ts";
import { type AnsweredInFull, answeredInFull } from "../../observations/list-pages.ts";

const infersTheContext = activeCheck({
  id: "CTX-010",
  uses: { conversation },
  judge({ conversation: { asked, answer, last, got, said } }) {
    if (!asked.contextId) return notApplicable("the agent's tasks show no context");
    const isOther = (contextId: string | undefined): boolean => !!contextId && contextId !== asked.contextId;
    const details = (contextId: string | undefined) => ({
      saw: `contextId ${brief(contextId, 60)}`,
      want: `contextId ${brief(asked.contextId, 60)}`,
      at: [answer, got],
    });
    const shown = [taskIn(answer)?.contextId, asText(messageIn(answer)?.["contextId"]), last.contextId];
    const other = shown.find(isOther);
    if (other !== undefined)
      return broken("the answer to a message that names a task alone is in another context", details(other));
    // We sent it without a context, so what stands there now is what the agent made of it.
    const kept = [...(taskIn(answer)?.history ?? []), ...last.history]
      .filter(({ messageId }) => messageId === said.at(-1))
      .map(({ contextId }) => asText(contextId))
      .find(isOther);
    if (kept !== undefined)
      return broken(
        "a message that names a task alone is put into another context than that of the task",
        details(kept),
      );
    const now = taskIn(got);
    return now && forgets(asked, now) ? historyLost(asked, now, [answer, got]) : holds();
  },
});

const idsIn = ({ history }: LooseTask): readonly string[] =>
  history.flatMap(({ messageId }) => asText(messageId) ?? []);

/** Whether nothing is left of what the history held before. */
const forgets = (before: LooseTask, after: LooseTask): boolean =>
  idsIn(before).length > 0 && !idsIn(before).some((id) => idsIn(after).includes(id));

const historyLost = (before: LooseTask, after: LooseTask, at: readonly Call[]): Finding =>
  breach("history-lost", "after a follow-up the history of the task holds none of the earlier messages", {
    saw: `${after.history.length} messages, none of the ${before.history.length} before`,
    want: "the earlier messages as well",
    at,
  });

const refusesMismatch = activeCheck({
  id: "CTX-011",
  uses: { inputRequired },
  judge({ inputRequired: { task, crossed, crossedStream, after } }) {
    if (!crossed || !after) return notApplicable("the agent's tasks show no context");
    if (crossedStream && !errorOf(crossedStream) && eventsOf(crossedStream).length > 0 && errorOf(crossed)) {
      return broken(
        "a message in another context than its task is accepted when it is streamed",
        answerOf(crossedStream, "an error, such as InvalidParams"),
      );
    }
    const details = { saw: describeReply(crossed), want: "an error, such as InvalidParams", at: [crossed, after] };
    if (isInternal(crossed)) {
      return crashed("a message in another context than its task is answered with an internal error", details);
    }
    if (crossed.reply.is === "failure") {
      return crashed("a message in another context than its task is not answered", details);
    }
    if (crossed.reply.is === "malformed") {
      return breach(
        codeOfForm(crossed, "InvalidParams"),
        "a message in another context than its task is not answered in the words of the binding",
        details,
      );
    }
    if (!errorOf(crossed)) return broken("a message in another context than its task is accepted", details);
    const now = taskIn(after);
    if (now && now.state !== task.state) {
      return broken("a message in another context than its task is refused and moves the task all the same", {
        ...details,
        saw: `${task.state}, then ${now.state}`,
      });
    }
    return holds();
  },
});

const goesOn = activeCheck({
  id: "CTX-013",
  uses: { conversation },
  also: { answeredInFull },
  judge({ conversation: { asked, answer, last, got }, answeredInFull: inFull }) {
    if (!isAnswered(answer)) {
      return broken("the answer to the question of a task is refused", answerOf(answer, "the task, continued"));
    }
    const task = taskIn(answer);
    if (task && task.id !== asked.id) {
      return broken("the answer to the question of a task begins another task", {
        saw: `id ${brief(task.id, 60)}`,
        want: `id ${asked.id}`,
        at: answer,
      });
    }
    if (statusOf(last, answer.on) === statusOf(asked, answer.on)) {
      if (messageIn(answer)) return holds("the agent answered with a message and left the task as it was");
      return breach("still-waiting", "the answer to the question of a task leaves the task as it was", {
        saw: brief(last.json["status"]),
        want: "another status",
        at: [answer, got],
      });
    }
    return inFull ? namedTwice(inFull) : holds();
  },
});

/** What came of an answer that names the context of its task as well, and that is streamed where that is possible. */
function namedTwice({ asked, answer, refused }: AnsweredInFull): Finding {
  const want = "the task, continued";
  if (!answer.streamed && errorOf(answer) && !isPassing(answer)) {
    return broken(
      "the answer to the question of a task is refused when it names the context as well as the task",
      answerOf(answer, want),
    );
  }
  if (refused && errorOf(refused) && !isPassing(refused)) {
    return broken("the answer to the question of a task is refused when it is streamed, and taken otherwise", {
      saw: describeReply(refused),
      want,
      at: [refused, answer],
    });
  }
  const id = taskIn(answer)?.id ?? eventsOf(answer).find(({ is, taskId }) => is !== "message" && taskId)?.taskId;
  if (id === undefined || id === asked.id) return holds();
  const how = answer.streamed ? "when it is streamed" : "when it names the context as well";
  return broken(`the answer to the question of a task begins another task ${how}`, {
    saw: `id ${brief(id, 60)}`,
    want: `id ${asked.id}`,
    at: answer,
  });
}

/** The status with its message and time: asking again is going on, too. */
function statusOf({ json }: LooseTask, { dialect }: Call["on"]): string {
  const { message, ...status } = asObject(json["status"]) ?? {};
  // Messages of 0.1 have no id: the one that we read there is of our own making.
  const { messageId, ...said } = asObject(message) ?? {};
  return JSON.stringify({ ...status, said, ...(dialect !== "0.1" && { messageId }) });
}

const answersWithTheTask = activeCheck({
  id: "LIFE-008",
  uses: { conversation },
  judge({ conversation: { answer } }) {
    if (taskIn(answer)) return holds();
    if (!messageIn(answer)) return notExamined("unstable", `the message was not taken: ${describeReply(answer)}`);
    return broken("a message that continues a task is answered with a message", {
      saw: brief(messageIn(answer)),
      want: "the task",
      at: answer,
    });
  },
});

export const conversationChecks: readonly Check[] = [infersTheContext, refusesMismatch, goesOn, answersWithTheTask];
