import { brief, taskIn } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import { broken, crashed, holds, notApplicable } from "../../../define/finding.ts";
import type { HttpChange, Target } from "../../../define/target.ts";
import { conversation } from "../../../observations/conversation.ts";
import { firstContact } from "../../../observations/first-contact.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { textOf } from "../bodies.ts";

const asking = (target: Target, id: string, query: string): Promise<Call> => {
  const change: HttpChange = (request) => ({ ...request, url: `${request.url.split("?", 1)[0]}?${query}` });
  return target.http("GetTask", { id }, change, { fair: false });
};

const shown = ({ exchange: { http } }: Call): string =>
  `HTTP ${http.response?.status ?? "?"} ${brief(textOf(http.response?.body ?? new Uint8Array()), 120)}`;

export const senseless = activeCheck({
  id: "V03-REST-004",
  title: "a query that makes no sense breaks nothing down",
  remedy: "Answer a historyLength that is no number with 400, or overlook it.",
  uses: { firstContact },
  // A server that looks for the task first never comes to read the rest.
  also: { sentMessage },
  async judge({ sentMessage: seen }, target) {
    const call = await asking(target, seen?.task?.id ?? target.unknownId(), "historyLength=two");
    const status = call.exchange.http.response?.status;
    const details = { saw: shown(call), want: "HTTP 400, or the task", at: call };
    if (call.reply.is === "failure") return crashed("a historyLength that is no number gets no answer", details);
    if (status !== undefined && status >= 500)
      return crashed(`a historyLength that is no number is answered with HTTP ${status}`, details);
    return holds();
  },
});

export const camelCase = activeCheck({
  id: "V03-REST-005",
  title: "historyLength in the query is understood",
  remedy: "Read historyLength from the query of GET /v1/tasks/{id}, in camelCase.",
  requires: ["scenario:multi-turn"],
  last: true,
  uses: { conversation },
  async judge({ conversation: { last } }, target) {
    const whole = taskIn(await target.call("GetTask", { id: last.id, historyLength: 100 }))?.history.length ?? 0;
    if (whole < 2) return notApplicable("the agent keeps no history that could be shortened");
    const call = await asking(target, last.id, "historyLength=1");
    const task = taskIn(call);
    const details = { saw: shown(call), want: "the task with no more than one message in its history", at: call };
    if (!task) return broken("a task is not shown where historyLength is 1", details);
    return task.history.length > 1 ? broken("historyLength in the query is overlooked", details) : holds();
  },
});
