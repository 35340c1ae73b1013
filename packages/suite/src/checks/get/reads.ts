import { isDeepStrictEqual } from "node:util";
import { expectInvalid, matches } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, isEnded, type LooseTask, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, isBreach, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { type Histories, histories, historiesSeen } from "../../observations/conversation.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { firstFilledPage, type ListPages, listPages, type Page } from "../../observations/list-pages.ts";
import { readAgain, roundedToMs, sentMessage, taskAtRest } from "../../observations/sent-message.ts";
import { untilSeen } from "../../observations/until-seen.ts";
import { expectNotFound } from "../errors/expect.ts";
import { idReused, isReused } from "../lifecycle/reused-id.ts";
import { isSameTime, timeOf } from "../lifecycle/times.ts";

export const unknownIsNotFound = activeCheck("GET-002", {
  uses: { firstContact },
  also: { sentMessage },
  async judge({ firstContact: { asked }, sentMessage: sent }, target) {
    const what = "GetTask with an unknown id";
    const found = expectNotFound(asked, what, target);
    // Once an id of the agent is known, the unknown id has the same format. Short ids cannot be imitated.
    if (!isBreach(found, "related-error") || (sent?.task?.id.length ?? 0) < 12) return found;
    const again = await target.call("GetTask", { id: target.unknownId() });
    return matches(again, "InvalidParams") ? breach("other-error", found.message, found) : found;
  },
});

export const idIsRequired = activeCheck("GET-003", {
  uses: { firstContact },
  async judge(_seen, target) {
    const call = await target.call("GetTask", {}, { share: "without an id" });
    const what = "GetTask without an id";
    if (!matches(call, "TaskNotFound")) return expectInvalid(call, what);
    // A protobuf reader sees an empty id.
    return breach(
      "missing-id-not-found",
      `${what} returns "task not found" instead of a validation error`,
      answerOf(call, "a validation error"),
    );
  },
});

export const readsChangeNothing = activeCheck("GET-004", {
  last: true,
  uses: { taskAtRest, readAgain, historiesSeen },
  also: { histories, listPages },
  async judge({ taskAtRest: { last, got }, readAgain: again, historiesSeen, histories, listPages: shelf }, target) {
    if (!isEnded(last.state)) return notExamined("unstable", "the task did not end");
    const reads = [got, ...again];
    const seen = reads.flatMap((call) => taskIn(call) ?? []);
    if (seen.length < reads.length) return notExamined("not-triggered", "the agent does not keep ended tasks");
    // A task that resumes work breaks another rule, and may well look different.
    const other = seen.find((task) => task.state === last.state && !looksLike(task, last));
    if (!other) {
      const cut = await cutByReading(target, histories ?? historiesSeen);
      return growsByReading(seen.slice(1), reads) ?? cut ?? (await movedByReading(target, shelf)) ?? holds();
    }
    if (isReused(last, other, got)) return idReused;
    return broken("GetTask returns different data for an ended task on each read", {
      saw: `${brief(essence(last), 120)}, then ${brief(essence(other), 120)}`,
      want: "the same status and artifacts on each read",
      at: reads,
    });
  },
});

/** The first read may come before the last message was stored. */
function growsByReading(seen: readonly LooseTask[], at: readonly Call[]): Finding | undefined {
  const [before = 0, after = 0] = seen.map(({ history }) => history.length);
  if (before === after) return undefined;
  return broken("the history of an ended task changes when it is read", {
    saw: `${before} messages, then ${after}`,
    want: "the same history on each read",
    at,
  });
}

/** Detects agents that cut the stored history instead of a copy. Fewer messages once may come from a lagging store. */
async function cutByReading(target: Target, seen: Histories | undefined): Promise<Finding | undefined> {
  const [before, after] = [seen && taskIn(seen.all), seen && taskIn(seen.again)];
  if (!before || !after || !isEnded(before.state) || after.history.length >= before.history.length) return undefined;
  await target.sleep(roundedToMs + 100);
  const later = await target.call("GetTask", { id: before.id });
  const left = taskIn(later)?.history.length;
  if (left === undefined || left >= before.history.length) return undefined;
  return broken("reading a task with historyLength deletes the rest of its history", {
    saw: `${before.history.length} messages, then ${left} after a read with historyLength`,
    want: "the same history on each read",
    at: [later, seen!.one, seen!.all],
  });
}

/** Detects agents that sort lists by last access. Two reads have to show it. */
async function movedByReading(target: Target, shelf: ListPages | undefined): Promise<Finding | undefined> {
  if (!shelf || !(await movedByOneRead(target, shelf))) return undefined;
  return movedByOneRead(target, shelf);
}

async function movedByOneRead(target: Target, { contextId }: ListPages): Promise<Finding | undefined> {
  const list = () => firstFilledPage(target, { contextId });
  const [before, control] = [await list(), await list()];
  const last = before.page?.tasks.at(-1);
  if (!before.page || !last) return undefined;
  // A list whose order changes between two calls proves nothing about reads.
  if (
    !isDeepStrictEqual(
      control.page?.tasks.map(({ id }) => id),
      before.page.tasks.map(({ id }) => id),
    )
  )
    return undefined;
  const others = before.page.tasks.filter((task) => timeOf(task) !== timeOf(last));
  const read = await target.call("GetTask", { id: last.id });
  const after = await untilSeen(target, "list", list, ({ page }) => !overtaken(page, others, last));
  const moved = overtaken(after.page, others, last);
  if (!moved) return undefined;
  return broken("reading a task moves it up the list", {
    saw: `${last.id} (${timeOf(last)}) before ${moved.id} (${timeOf(moved)})`,
    want: "the same order as before the read",
    at: [after.call, read, before.call],
  });
}

/** Finds an unchanged task that is now listed after the last one, which has not changed either. */
function overtaken(page: Page | undefined, others: readonly LooseTask[], last: LooseTask): LooseTask | undefined {
  const place = (task: LooseTask): number =>
    page?.tasks.findIndex((listed) => listed.id === task.id && timeOf(listed) === timeOf(task)) ?? -1;
  const end = place(last);
  return end < 0 ? undefined : others.find((task) => place(task) > end);
}

const essence = (task: LooseTask) => ({ timestamp: timeOf(task), artifacts: idsOf(task) });

const idsOf = ({ artifacts }: LooseTask): readonly string[] =>
  artifacts.map(({ artifactId }) => asText(artifactId) ?? "").toSorted();

const looksLike = (one: LooseTask, other: LooseTask): boolean =>
  isSameTime(timeOf(one), timeOf(other)) && isDeepStrictEqual(idsOf(one), idsOf(other));

export const isNotWrapped = activeCheck("GET-005", {
  // An agent that wraps the task blocks all rules that need one, and the blocking rule reports that.
  uses: { sentMessage, taskAtRest },
  judge({ taskAtRest: { got } }) {
    const result = asObject(resultOf(got)) ?? {};
    if (asObject(result["status"])) return holds();
    return broken("the result of GetTask has no status at the top level", {
      saw: brief(result),
      want: "id and status at the top level of the result",
      at: got,
    });
  },
});
