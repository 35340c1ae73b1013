import { isInternal } from "../../../answers/expect-error.ts";
import { hasOperation } from "../../../answers/operations-of.ts";
import {
  asList,
  asObject,
  asText,
  brief,
  describeReply,
  type LooseTask,
  resultOf,
  taskIn,
} from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import { breach, broken, type Finding, holds, isBreach, notExamined } from "../../../define/finding.ts";
import type { Target } from "../../../define/target.ts";
import { isSpoken } from "../../../observations/first-contact.ts";
import { taskAtRest } from "../../../observations/sent-message.ts";
import { readElsewhere, stillThere, untilListed } from "../../../observations/still-there.ts";
import { difference } from "../../../shapes/equivalence.ts";
import { noRoommates, roommatesOf } from "./other-bindings.ts";

export const sameTasks = activeCheck({
  id: "BIND-002",
  title: "a task made over one binding is there over the others",
  remedy: "Keep tasks in one store behind all bindings, so that GetTask and ListTasks show the same task over each.",
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const others = roommatesOf(target);
    if (others.length === 0) return noRoommates;
    const findings: Finding[] = [];
    for (const other of others) {
      const finding = await seenFrom(other, target, last);
      if (isBreach(finding)) return finding;
      findings.push(finding);
    }
    return findings.find(({ is }) => is === "holds") ?? findings[0]!;
  },
});

async function seenFrom(other: Target, target: Target, last: LooseTask): Promise<Finding> {
  const { got, here: again } = await readElsewhere(other, target, last.id);
  const task = taskIn(got);
  const [there, here] = [other.on.binding, target.on.binding];
  // A binding that is not spoken, or cannot answer, is for its own rules: there is nothing to compare.
  if (!task && (!isSpoken(got) || got.reply.is === "result" || isInternal(got)))
    return notExamined("prerequisite", `${other.on.binding} shows nothing to compare: ${describeReply(got)}`);
  if (!task || again) {
    if (!again || !taskIn(again)) return notExamined("unstable", "the task is gone");
    return broken("a task made over one binding is not there over another", {
      saw: `${describeReply(got)} over ${there}, the task over ${here}`,
      want: "the same task",
      at: [got, again],
    });
  }
  const differs =
    task.state !== last.state
      ? `${task.state} over ${there}, ${last.state} over ${here}`
      : task.artifacts.length !== last.artifacts.length
        ? `${task.artifacts.length} artifacts over ${there}, ${last.artifacts.length} over ${here}`
        : undefined;
  if (differs !== undefined)
    return broken("a task looks different over another binding", {
      saw: differs,
      want: "the same state and artifacts",
      at: got,
    });
  if (last.contextId === undefined || !hasOperation(target.on, "ListTasks")) return holds();
  return listedBy(other, target, last.contextId, last);
}

async function listedBy(other: Target, target: Target, contextId: string, task: LooseTask): Promise<Finding> {
  const ours = await target.call("ListTasks", { contextId });
  const lists = (call: Call): boolean => call.reply.is !== "result" || idsIn(call).includes(task.id);
  // Whether tasks can be listed at all is for BIND-001 to say.
  if (ours.reply.is !== "result" || !lists(ours)) return holds();
  const ask = () => other.call("ListTasks", { contextId });
  const theirs = await untilListed(other, ask, (call) => (lists(call) ? [] : [task]));
  if (lists(theirs) || (await stillThere(target, [task])).length === 0) return holds();
  return broken("a task that one binding lists is not listed by another", {
    saw: brief(resultOf(theirs) ?? describeReply(theirs)),
    want: "the same tasks in the same context",
    at: [theirs, ours],
  });
}

const idsIn = (call: Call): readonly string[] =>
  asList(asObject(resultOf(call))?.["tasks"]).flatMap((task) => asText(asObject(task)?.["id"]) ?? []);

export const sameData = activeCheck({
  id: "DATA-030",
  title: "all bindings show the same data",
  remedy:
    "Make every binding from one data model, so that no field is lost, renamed or retyped on the way to one of them.",
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const others = roommatesOf(target);
    if (others.length === 0) return noRoommates;
    const ours = await target.call("GetTask", { id: last.id });
    for (const other of others) {
      const theirs = await other.call("GetTask", { id: last.id });
      const [here, there] = [taskIn(ours), taskIn(theirs)];
      // Whether the task is there at all is for BIND-002 to say.
      if (!here || !there) return notExamined("not-triggered", "the task is not shown over every binding");
      const path = difference("Task", here.json, there.json);
      if (path === undefined) continue;
      const again = taskIn(await target.call("GetTask", { id: last.id }));
      if (!again || difference("Task", here.json, again.json) !== undefined)
        return notExamined("unstable", "the task looks different each time it is asked for");
      // An address may well lead back to the binding that was asked.
      const isAddress = /\.parts\[\d+\]\.url$/.test(path);
      return breach(isAddress ? "address-differs" : "broken", "a task has other content over another binding", {
        saw: `${path} differs between ${target.on.binding} and ${other.on.binding}`,
        want: "the same task",
        at: [theirs, ours],
      });
    }
    return holds();
  },
});
