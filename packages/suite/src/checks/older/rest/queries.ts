import { probe } from "../../../check.ts";
import { broken, crashed, holds, notApplicable } from "../../../finding.ts";
import type { HttpChange, Lab } from "../../../lab.ts";
import { contact } from "../../../observations/contact.ts";
import { conversation } from "../../../observations/conversation.ts";
import { settled } from "../../../observations/settled.ts";
import { brief, taskIn } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { textOf } from "../../wire/bodies.ts";

const asking = (lab: Lab, id: string, query: string): Promise<Talk> => {
  const change: HttpChange = (request) => ({ ...request, url: `${request.url.split("?", 1)[0]}?${query}` });
  return lab.http("GetTask", { id }, change, { fair: false });
};

const shown = ({ exchange: { http } }: Talk): string =>
  `HTTP ${http.response?.status ?? "?"} ${brief(textOf(http.response?.body ?? new Uint8Array()), 120)}`;

export const senseless = probe({
  id: "V03-REST-004",
  title: "a query that makes no sense breaks nothing down",
  remedy: "Answer a historyLength that is no number with 400, or overlook it.",
  uses: { contact },
  // A server that looks for the task first never comes to read the rest.
  also: { settled },
  async probe({ settled: seen }, lab) {
    const talk = await asking(lab, seen?.task?.id ?? lab.unknownId(), "historyLength=two");
    const status = talk.exchange.http.response?.status;
    const details = { saw: shown(talk), want: "HTTP 400, or the task", at: talk };
    if (talk.reply.is === "failure") return crashed("a historyLength that is no number gets no answer", details);
    if (status !== undefined && status >= 500)
      return crashed(`a historyLength that is no number is answered with HTTP ${status}`, details);
    return holds();
  },
});

export const camelCase = probe({
  id: "V03-REST-005",
  title: "historyLength in the query is understood",
  remedy: "Read historyLength from the query of GET /v1/tasks/{id}, in camelCase.",
  requires: ["scenario:multi-turn"],
  uses: { conversation },
  async probe({ conversation: { last } }, lab) {
    const whole = taskIn(await lab.call("GetTask", { id: last.id, historyLength: 100 }))?.history.length ?? 0;
    if (whole < 2) return notApplicable("the agent keeps no history that could be shortened");
    const talk = await asking(lab, last.id, "historyLength=1");
    const task = taskIn(talk);
    const details = { saw: shown(talk), want: "the task with no more than one message in its history", at: talk };
    if (!task) return broken("a task is not shown where historyLength is 1", details);
    return task.history.length > 1 ? broken("historyLength in the query is overlooked", details) : holds();
  },
});
