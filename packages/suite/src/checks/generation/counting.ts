import type { JsonObject } from "@assay/protocol";
import { generationOf } from "../../answers/generation.ts";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { describeReply, isEnded, type LooseEvent, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { uncounted } from "../../observations/generations.ts";
import { notifications } from "../../observations/notifications.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";
import { taskStream } from "../../observations/task-stream.ts";

const submitted = "TASK_STATE_SUBMITTED";
const want = "a generation of 1 or more";

const written = (json: JsonObject): string => `generation: ${brief(json["generation"] ?? "none")}`;

/** Events that change a task. The opening Task is a snapshot. */
export const changing = (events: readonly LooseEvent[]): readonly LooseEvent[] =>
  events.filter(({ is }) => is === "status" || is === "artifact");

const read = (target: Target, id: string): Promise<Call> =>
  target.call("GetTask", { id }, { share: `generation ${id}` });

const gone = (call: Call): Finding =>
  notExamined("not-triggered", `GetTask did not return the task: ${describeReply(call)}`);

export const counting: readonly Check[] = [
  activeCheck("GEN-001", {
    last: true,
    uses: { taskAtRest },
    also: { taskStream },
    async judge({ taskAtRest: { call: sent, task, last }, taskStream: stream }, target) {
      const got = await read(target, last.id);
      const known = taskIn(got);
      if (!known) return gone(got);
      const lacks = (json: JsonObject, where: string, at: Call): Finding[] =>
        generationOf(json) === undefined
          ? [broken(`${where} has no generation`, { saw: written(json), want, at })]
          : [];
      const params = last.contextId ? { contextId: last.contextId } : {};
      const list = await target.call("ListTasks", params, { share: `generations ${last.contextId}` });
      const listed = asObjects(asObject(resultOf(list))?.["tasks"]).find(({ id }) => id === last.id);
      const [event] = changing(stream?.events ?? []).filter(({ content }) => generationOf(content) === undefined);
      const [first = holds()] = [
        ...lacks(known.json, "the task in the response of GetTask", got),
        ...lacks(task.json, "the task in the response to a message", sent),
        ...(listed ? lacks(listed, "a task in the response of ListTasks", list) : []),
        ...(event && stream ? lacks(event.content, `the ${event.is} update of a stream`, stream.call) : []),
      ];
      return first;
    },
  }),

  activeCheck("GEN-002", {
    uses: { slowTask },
    also: { taskStream },
    judge({ slowTask: { call, task }, taskStream: stream }) {
      const [opening] = stream?.events ?? [];
      const seen = [
        { json: task.json, at: call },
        ...(stream && opening?.is === "task" ? [{ json: opening.content, at: stream.call }] : []),
      ];
      if (seen.every(({ json }) => generationOf(json) === undefined)) return notApplicable(uncounted);
      const fresh = seen.filter(({ json }) => isNew(json) && generationOf(json) !== undefined);
      if (!fresh.length) return notExamined("not-triggered", "the agent changed every task before Assay could see it");
      const wrong = fresh.find(({ json }) => generationOf(json) !== 1n);
      if (!wrong) return holds();
      const details = { saw: written(wrong.json), want: '"1"', at: wrong.at };
      // Some agents report the state again. The task stays as it is, but the event has a generation.
      const isRepeated = stream?.events.some(({ is, state }) => is === "status" && state === submitted) ?? true;
      return isRepeated
        ? breach("same-state-new-generation", "a submitted task does not have generation 1", details)
        : broken("a new task does not have generation 1", details);
    },
  }),

  activeCheck("GEN-006", {
    uses: { notifications },
    judge({ notifications: { all, heard } }) {
      const events = all.flatMap(({ event, delivery }) => {
        const content = asObject(event?.["statusUpdate"] ?? event?.["artifactUpdate"] ?? event?.["task"]);
        return content && !delivery.cut ? [content] : [];
      });
      if (!events.length) return notExamined("not-triggered", "no readable notification arrived");
      const wrong = events.find((content) => generationOf(content) === undefined);
      if (!wrong) return holds();
      return broken("a notification has no generation", { saw: written(wrong), want, at: heard[0]!.webhook.call });
    },
  }),

  activeCheck("GEN-007", {
    uses: { taskAtRest },
    also: { taskStream },
    async judge({ taskAtRest: { last }, taskStream: stream }, target) {
      const got = await read(target, last.id);
      const known = taskIn(got);
      if (!known) return gone(got);
      const all = [
        { json: known.json, at: got },
        ...(stream ? changing(stream.events).map(({ content }) => ({ json: content, at: stream.call })) : []),
      ].filter(({ json }) => generationOf(json) !== undefined);
      if (!all.length) return notApplicable(uncounted);
      const wrong = all.find(({ json }) => asText(json["generation"]) === undefined);
      if (!wrong) return holds();
      return broken("generation is a JSON number", {
        saw: written(wrong.json),
        want: "a decimal string",
        at: wrong.at,
      });
    },
  }),

  activeCheck("GEN-008", {
    last: true,
    uses: { taskAtRest },
    async judge({ taskAtRest: { last } }, target) {
      if (!isEnded(last.state)) return notExamined("not-triggered", "the task has not ended");
      const [one, two] = [await target.call("GetTask", { id: last.id }), await target.call("GetTask", { id: last.id })];
      const [before, after] = [taskIn(one), taskIn(two)];
      if (!before || !after) return gone(before ? two : one);
      const [was, is] = [generationOf(before.json), generationOf(after.json)];
      if (was === undefined || is === undefined) return notApplicable(uncounted);
      if (was === is) return holds();
      return broken("the generation of an ended task changes between two reads", {
        saw: `${was}, then ${is}`,
        want: "the same generation",
        at: [one, two],
      });
    },
  }),
];

/** Returns true if nothing has changed in a task: it is submitted and has no artifact. */
const isNew = (json: JsonObject): boolean =>
  asObject(json["status"])?.["state"] === submitted && asObjects(json["artifacts"]).length === 0;
