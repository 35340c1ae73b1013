import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { describeReply, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { conversation } from "../../observations/conversation.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { sentCall } from "./said.ts";

/** Returns the text of a message, because messages of 0.1 have no id. */
const wordsOf = (message: unknown): string =>
  asObjects(asObject(message)?.["parts"])
    .map(({ text }) => asText(text) ?? "")
    .join("\n");

const historyIn = ({ said }: Call): readonly unknown[] | undefined => {
  const history = said.is === "result" ? asObject(said.json)?.["history"] : undefined;
  return Array.isArray(history) ? history : undefined;
};

const gone = (call: Call): Finding =>
  notExamined("not-triggered", `tasks/get did not return the task: ${describeReply(call)}`);

export const isIncluded = activeCheck("V01-HIST-001", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const call = await target.call("GetTask", { id: last.id, historyLength: 10 });
    if (!taskIn(call)) return gone(call);
    if (historyIn(call)?.length) return holds();
    return broken("tasks/get with historyLength returns no history", {
      saw: historyIn(call) ? '"history": []' : "no history member",
      want: "the last messages of the task in history",
      at: call,
    });
  },
});

export const newestInOrder = activeCheck("V01-HIST-002", {
  last: true,
  uses: { conversation },
  async judge({ conversation: { asked, opening, answer } }, target) {
    const [all, cut] = [
      await target.call("GetTask", { id: asked.id, historyLength: 100 }),
      await target.call("GetTask", { id: asked.id, historyLength: 1 }),
    ];
    if (!taskIn(all) || !taskIn(cut)) return gone(taskIn(all) ? cut : all);
    const shown = (historyIn(all) ?? []).map(wordsOf);
    const said = [opening, answer].map((call) => wordsOf(sentCall(call)?.params["message"]));
    const [early, late] = [shown.indexOf(said[0]!), shown.lastIndexOf(said[1]!)];
    if (early < 0 || late < 0 || said[0] === said[1])
      return notExamined(
        "not-triggered",
        "the history does not contain both messages that Assay sent, so its order is unknown",
      );
    if (late < early) {
      return broken("the history has a later message before an earlier one", {
        saw: brief(shown),
        want: `${brief(said[0], 60)} before ${brief(said[1], 60)}`,
        at: all,
      });
    }
    const [only] = historyIn(cut) ?? [];
    const place = shown.lastIndexOf(wordsOf(only));
    if (only === undefined || place < 0 || place === shown.length - 1) return holds();
    return broken("with historyLength 1 the agent returns an older message instead of the newest", {
      saw: brief(only),
      want: brief(shown.at(-1), 80),
      at: cut,
    });
  },
});

export const limitHoldsInAnswers = activeCheck("V01-HIST-003", {
  uses: { conversation },
  judge({ conversation: { answer } }) {
    const limit = sentCall(answer)?.params["historyLength"];
    if (!taskIn(answer) || typeof limit !== "number") return notApplicable("the agent responded without a task");
    const shown = historyIn(answer)?.length ?? 0;
    if (shown <= limit) return holds();
    return broken("the response of tasks/send has more history messages than historyLength allows", {
      saw: `${shown} messages for historyLength ${limit}`,
      want: `at most ${limit}`,
      at: answer,
    });
  },
});

export const declaredHistory = activeCheck("V01-HIST-004", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    if (asObject(target.facts.card["capabilities"])?.["stateTransitionHistory"] !== true)
      return notApplicable("the card does not declare stateTransitionHistory");
    const call = await target.call("GetTask", { id: last.id, historyLength: 100 });
    if (!taskIn(call)) return gone(call);
    // The number depends on the conversation: a task may change state without a message.
    if (historyIn(call)?.length) return holds();
    return broken("the card declares stateTransitionHistory, but tasks/get returns no history", {
      saw: historyIn(call) ? '"history": []' : "no history member",
      want: "the messages of the task from beginning to end",
      at: call,
    });
  },
});
