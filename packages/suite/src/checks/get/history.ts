import type { JsonObject } from "@assay/protocol";
import { expectInvalid } from "../../answers/expect-error.ts";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, type LooseTask, looseTask, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { type Breach, breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { conversation, histories, historiesSeen } from "../../observations/conversation.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";
import { streamReturningImmediately } from "../../observations/stream-returning-immediately.ts";

/** Checks that a task shows at most the requested number of messages. */
function atMost(limit: number, task: Pick<LooseTask, "history">, where: string, at: Call): Breach | undefined {
  if (task.history.length <= limit) return undefined;
  return broken(`${where} has more history messages than historyLength allows`, {
    saw: `${task.history.length} messages for historyLength ${limit}`,
    want: `at most ${limit}`,
    at,
  });
}

export const limitHolds = activeCheck("HIST-001", {
  last: true,
  uses: { historiesSeen },
  also: { histories },
  judge({ histories, historiesSeen }) {
    const seen = histories ?? historiesSeen;
    if (!seen) return noneToCut;
    const { one, two } = seen;
    for (const [limit, call] of [[1, one] as const, [2, two] as const]) {
      const task = taskIn(call);
      const finding = task && atMost(limit, task, "GetTask", call);
      if (finding) return finding;
    }
    return taskIn(one) || taskIn(two) ? holds() : gone(one);
  },
});

export const limitKeepsTheNewest = activeCheck("HIST-002", {
  last: true,
  uses: { historiesSeen },
  also: { histories },
  judge({ histories, historiesSeen }) {
    const seen = histories ?? historiesSeen;
    if (!seen) return noneToCut;
    const { all, one, said } = seen;
    const [whole, cut] = [taskIn(all), taskIn(one)];
    if (!whole || !cut) return gone(whole ? one : all);
    return newest(whole.history, cut.history, said, one);
  },
});

/** Two messages that Assay sent in a known order show which end of the history is the recent one. */
export function newest(
  all: readonly JsonObject[],
  cut: readonly JsonObject[],
  said: readonly string[],
  at: Call,
): Finding {
  const ids = all.map(({ messageId }) => asText(messageId));
  const [early, late] = [ids.indexOf(said[0]), ids.indexOf(said[1])];
  const [shown] = cut;
  if (early < 0 || late < 0 || early === late) {
    return notExamined(
      "not-triggered",
      "the history does not contain both messages that Assay sent, so its order is unknown",
    );
  }
  if (!shown || cut.length > 1)
    return notExamined("not-triggered", "the agent did not limit the history to one message");
  const recent = early < late ? all.at(-1) : all[0];
  const id = asText(shown["messageId"]);
  // A message that the full history lacks may be newer. A history may contain a message twice.
  if (!ids.includes(id) || id === asText(recent?.["messageId"])) return holds();
  return broken("with historyLength 1 the agent returns an older message instead of the newest", {
    saw: brief(shown),
    want: brief(recent),
    at,
  });
}

export const zeroIsNone = activeCheck("HIST-003", {
  last: true,
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const call = await target.call("GetTask", { id: last.id, historyLength: 0 }, { share: `no history ${last.id}` });
    const task = taskIn(call);
    if (!task) return gone(call);
    return atMost(0, task, "GetTask", call) ?? holds();
  },
});

export const zeroLeavesItOut = activeCheck("HIST-004", {
  last: true,
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const call = await target.call("GetTask", { id: last.id, historyLength: 0 }, { share: `no history ${last.id}` });
    const task = taskIn(call);
    if (!task) return gone(call);
    // A history with messages in it is worse, and another rule judges it.
    const shown = task.json["history"];
    if (!Array.isArray(shown) || shown.length > 0) return holds();
    return broken("with historyLength 0 the task has an empty history", {
      saw: '"history": []',
      want: "no history member",
      at: call,
    });
  },
});

export const limitHoldsInAnswers = activeCheck("HIST-006", {
  // A conversation shows more, but any task shows the effect of 0.
  uses: { slowTask },
  also: { conversation },
  judge({ slowTask: plain, conversation }) {
    const { opening, answer } = conversation ?? { opening: plain.call, answer: undefined };
    const [begun, continued] = [taskIn(opening), answer && taskIn(answer)];
    if (!begun && !continued) return notApplicable("the agent responded without a task");
    const despiteZero = begun && atMost(0, begun, "the response of SendMessage", opening);
    return [
      ...(despiteZero ? [breach("history-despite-zero", despiteZero.message, despiteZero)] : []),
      (answer && continued && atMost(1, continued, "the response of SendMessage", answer)) ?? holds(),
    ];
  },
});

export const limitHoldsInLists = activeCheck("HIST-007", {
  last: true,
  uses: { taskAtRest },
  also: { conversation },
  async judge({ taskAtRest, conversation }, target) {
    const { last } = conversation ?? taskAtRest;
    for (const historyLength of [1, 0]) {
      const params = { historyLength, ...(last.contextId && { contextId: last.contextId }) };
      const call = await target.call("ListTasks", params);
      const tasks = asObjects(asObject(resultOf(call))?.["tasks"]).flatMap((json) => looseTask(json) ?? []);
      if (tasks.length === 0) {
        return notExamined("not-triggered", `ListTasks did not list the task: ${describeReply(call)}`);
      }
      for (const task of tasks) {
        const finding = atMost(historyLength, task, "a task in the response of ListTasks", call);
        if (finding) return finding;
      }
    }
    return holds();
  },
});

export const negativeIsRefused = activeCheck("HIST-008", {
  last: true,
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const call = await target.call("GetTask", { id: last.id, historyLength: -5 }, { fair: false });
    if (taskIn(call)) {
      return breach(
        "out-of-range-accepted",
        "the agent accepts a negative historyLength",
        answerOf(call, "a validation error"),
      );
    }
    return expectInvalid(call, "GetTask with a negative historyLength");
  },
});

export const limitHoldsInStreams = activeCheck("HIST-009", {
  requires: ["streaming"],
  uses: { streamReturningImmediately },
  judge({ streamReturningImmediately: { call, events } }) {
    const task = looseTask(events.find(({ is }) => is === "task")?.content);
    if (!task) return notApplicable("the stream did not open with a task");
    return atMost(0, task, "the task that opens a stream", call) ?? holds();
  },
});

const noneToCut = notExamined(
  "prompt",
  "no task of this run has two messages in its history",
  "prompts.inputRequired in assay.yaml",
);

const gone = (call: Call): Finding =>
  notExamined("not-triggered", `GetTask did not return the task: ${describeReply(call)}`);
