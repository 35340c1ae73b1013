import { matches } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, isEnded, type LooseTask } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstFilledPage, type ListPages, listPages, listWith, taskList } from "../../observations/list-pages.ts";
import { sentMessage, taskAtRest } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { taskWithArtifacts, taskWithFile } from "../../observations/task-with-artifacts.ts";
import { stillThere } from "../../observations/until-seen.ts";
import { timeOf } from "../lifecycle/times.ts";
import { stored, whole } from "../stream/assembled.ts";

const refusedFilter = (name: string, call: Call): Finding =>
  broken(`ListTasks with ${name} is not answered with a list`, answerOf(call, "a list"));

/** Those of the shelf that stay as they are. */
const ended = ({ tasks }: ListPages): readonly LooseTask[] => tasks.filter(({ state }) => isEnded(state));

/** A state that none of these tasks is in. */
const otherState = (tasks: readonly LooseTask[]): string =>
  ["TASK_STATE_REJECTED", "TASK_STATE_CANCELED", "TASK_STATE_FAILED", "TASK_STATE_COMPLETED"].find(
    (state) => !tasks.some((task) => task.state === state),
  )!;

const byContext = activeCheck({
  id: "LIST-015",
  uses: { listPages, taskAtRest },
  async judge({ listPages: { contextId, tasks }, taskAtRest: { last: stranger } }, target) {
    const { page, call } = await listWith(target, { contextId }, tasks);
    if (!page) return refusedFilter("contextId", call);
    const want = `tasks of the context ${contextId}`;
    const foreign = page.tasks.find(
      (task) => task.id === stranger.id || (task.contextId !== undefined && task.contextId !== contextId),
    );
    if (foreign && stranger.contextId !== contextId) {
      const saw = `a task of the context ${foreign.contextId}`;
      return broken("a list for one context has tasks of another", { saw, want, at: call });
    }
    const missing = await stillThere(
      target,
      tasks.filter(({ id }) => !page.tasks.some((task) => task.id === id)),
    );
    if (missing.length > 0 && !page.token)
      return broken("a list for a context lacks a task of it", { saw: `no ${missing[0]?.id}`, want, at: call });
    const nowhere = await firstFilledPage(target, { contextId: target.unknownId() });
    if (nowhere.page && nowhere.page.tasks.length > 0) {
      const saw = `${nowhere.page.tasks.length} tasks`;
      return broken("a list for an unknown context is not empty", { saw, want: "no tasks", at: nowhere.call });
    }
    return holds();
  },
});

const byStatus = activeCheck({
  id: "LIST-016",
  uses: { listPages },
  async judge({ listPages: seen }, target) {
    const { contextId } = seen;
    const known = ended(seen);
    const [sample] = known;
    if (!sample?.state) return notApplicable("none of the tasks has ended");
    const alike = known.filter(({ state }) => state === sample.state);
    const { page, call } = await listWith(target, { contextId, status: sample.state }, alike);
    if (!page) return refusedFilter("status", call);
    const want = `tasks in ${sample.state}`;
    const wrong = page.tasks.find(({ state }) => state !== sample.state);
    const rightAlone =
      wrong &&
      (await firstFilledPage(target, { status: sample.state })).page?.tasks.every(
        ({ state }) => state === sample.state,
      );
    if (wrong && !rightAlone)
      return broken("a list for one state has a task in another", {
        saw: brief(wrong.state),
        spot: { within: wrong.json, tail: ".status.state" },
        want,
        at: call,
      });
    const missing = await stillThere(
      target,
      alike.filter(({ id }) => !page.tasks.some((task) => task.id === id)),
    );
    if (missing.length > 0 && !page.token)
      return broken("a list for a state lacks a task that is in it", { saw: `no ${missing[0]?.id}`, want, at: call });
    const [asking, listed] = [seen.asked?.task, seen.waiting];
    if (asking && listed && !listed.token && !listed.tasks.some(({ id }) => id === asking.id)) {
      return broken("a list for a state lacks a task that is in it", {
        saw: `no ${asking.id}`,
        want: `tasks in ${asking.state}`,
        at: listed.call,
      });
    }
    const other = otherState(known);
    const others = await firstFilledPage(target, { contextId, status: other });
    const stray = others.page?.tasks.find(({ state }) => state !== other);
    // Where the state alone does, it is the two filters together that do not (LIST-017).
    const alone = stray && (await firstFilledPage(target, { status: other })).page;
    if (stray && alone?.tasks.some(({ state }) => state !== other)) {
      const saw = brief(stray.state);
      return broken("a list for one state has a task in another", { saw, want: `tasks in ${other}`, at: others.call });
    }
    return holds();
  },
});

const filtersCombine = activeCheck({
  id: "LIST-017",
  uses: { listPages },
  async judge({ listPages: seen }, target) {
    const { contextId } = seen;
    const known = ended(seen);
    const state = known[0]?.state;
    if (state === undefined) return notApplicable("none of the tasks has ended");
    const other = otherState(known);
    const nowhere = target.unknownId();
    const [byPlace, byState] = [
      await firstFilledPage(target, { contextId: nowhere }),
      await firstFilledPage(target, { status: other }),
    ];
    const alone = byPlace.page?.tasks.length === 0 && byState.page?.tasks.every((task) => task.state === other);
    if (!alone) return notExamined("not-triggered", "the filters do not work one by one");
    for (const params of [
      { contextId, status: other },
      { contextId: nowhere, status: state },
    ]) {
      const { page, call } = await firstFilledPage(target, params);
      if (!page) return notExamined("not-triggered", `the filters are refused together: ${describeReply(call)}`);
      const stray = page.tasks.find((task) => known.some(({ id }) => id === task.id) || params.contextId === nowhere);
      if (!stray) continue;
      return broken("a list has tasks that satisfy one of two filters only", {
        saw: `a task of the context ${stray.contextId} in ${stray.state}`,
        want: `no task, for contextId ${params.contextId} and status ${params.status}`,
        at: call,
      });
    }
    return holds();
  },
});

const byTime = activeCheck({
  id: "LIST-018",
  uses: { listPages },
  async judge({ listPages: seen }, target) {
    const { contextId } = seen;
    const newest = ended(seen).at(-1);
    const time = newest && Date.parse(timeOf(newest) ?? "");
    if (!newest || time === undefined || Number.isNaN(time))
      return notApplicable("the agent's tasks do not say when their status changed");
    const at = (shift: number): string => new Date(time + shift).toISOString();
    const since = await listWith(target, { contextId, statusTimestampAfter: at(-1_000) }, [newest]);
    // A time to come may be refused: by whichever clock, the one we ask for is past when this long has gone by.
    await target.sleep(1_100);
    const later = await firstFilledPage(target, { contextId, statusTimestampAfter: at(1_000) });
    for (const { page, call } of [since, later]) {
      // An error for want of matches is another rule (LIST-024).
      if (!page && !matches(call, "TaskNotFound")) return refusedFilter("statusTimestampAfter", call);
    }
    const stray = later.page?.tasks.find((task) => task.id === newest.id || isBefore(task, time + 1_000));
    if (stray) {
      return broken("a list has tasks whose status is older than statusTimestampAfter", {
        saw: brief(timeOf(stray)),
        spot: { within: stray.json, tail: ".status.timestamp" },
        want: `nothing before ${at(1_000)}`,
        at: later.call,
      });
    }
    const old = since.page?.tasks.find((task) => isBefore(task, time - 1_000));
    if (old) {
      return broken("a list has tasks whose status is older than statusTimestampAfter", {
        saw: brief(timeOf(old)),
        spot: { within: old.json, tail: ".status.timestamp" },
        want: `nothing before ${at(-1_000)}`,
        at: since.call,
      });
    }
    const isMissing = !since.page?.token && !since.page?.tasks.some(({ id }) => id === newest.id);
    if (isMissing && (await stillThere(target, [newest])).length > 0) {
      return broken("a list lacks a task whose status is younger than statusTimestampAfter", {
        saw: `no ${newest.id}`,
        want: `the task whose status is of ${brief(timeOf(newest))}`,
        at: since.call,
      });
    }
    return judgeBoundary(newest, contextId, target);
  },
});

/** Its name says "after" and its comment "greater than or equal" (AMB-30). */
async function judgeBoundary(task: LooseTask, contextId: string, target: Target): Promise<Finding> {
  const { page, call } = await listWith(target, { contextId, statusTimestampAfter: timeOf(task)! }, [task]);
  if (
    !page ||
    page.token ||
    page.tasks.some(({ id }) => id === task.id) ||
    (await stillThere(target, [task])).length === 0
  )
    return holds();
  return breach("boundary-left-out", "a list lacks a task whose status is of just the time in statusTimestampAfter", {
    saw: `no ${task.id}`,
    want: "tasks of that time or later",
    at: call,
  });
}

const isBefore = (task: LooseTask, time: number): boolean => Date.parse(timeOf(task) ?? "") < time;

const noArtifacts = notExamined(
  "prompt",
  "no task of this run has artifacts",
  "prompts.task in assay.yaml: something that ends with an artifact",
);

/** Made before the list is looked at, so that a task with artifacts stands on it. */
const artifactsFrom = { sentMessage, taskStream, taskWithFile };

const noArtifactsUnasked = activeCheck({
  id: "LIST-019",
  uses: { taskList, taskWithArtifacts },
  also: artifactsFrom,
  last: true,
  async judge({ taskWithArtifacts: rich }, target) {
    const where = rich?.task.contextId ? { contextId: rich.task.contextId } : {};
    const want = "no member artifacts";
    let isListed = false;
    for (const params of [where, { ...where, includeArtifacts: false }]) {
      const { page, call } = await listWith(target, params, rich ? [rich.task] : []);
      if (!page) return notExamined("not-triggered", `the list is refused: ${describeReply(call)}`);
      const full = page.tasks.find(({ artifacts }) => artifacts.length > 0);
      if (full) {
        const saw = brief(full.json["artifacts"]);
        return broken("tasks are listed with artifacts that were not asked for", { saw, want, at: call });
      }
      // gRPC has no way to show an empty list.
      const empty = target.on.binding !== "GRPC" && page.tasks.find(({ json }) => Object.hasOwn(json, "artifacts"));
      if (empty) {
        const saw = `artifacts: ${brief(empty.json["artifacts"])}`;
        return breach("empty-list-member", "tasks are listed with an empty artifacts member", { saw, want, at: call });
      }
      isListed = page.tasks.some(({ id }) => id === rich?.task.id);
    }
    // Where there is nothing to leave out, it cannot be seen whether it would be.
    if (!rich) return noArtifacts;
    return isListed ? holds() : notExamined("not-triggered", "the task with artifacts is not listed");
  },
});

const artifactsOnRequest = activeCheck({
  id: "LIST-020",
  uses: { taskList, taskWithArtifacts },
  also: artifactsFrom,
  last: true,
  async judge({ taskWithArtifacts: rich }, target) {
    if (!rich) return noArtifacts;
    const { task, got } = rich;
    const where = task.contextId ? { contextId: task.contextId } : {};
    const { page, call } = await listWith(target, { ...where, includeArtifacts: true }, [task]);
    const entry = page?.tasks.find(({ id }) => id === task.id);
    if (!entry) return notExamined("not-triggered", "the task with artifacts is not listed");
    const [shown, kept] = [stored(entry.artifacts), stored(task.artifacts)];
    const differs = [...kept].some(([id, pieces]) => whole(shown.get(id)) !== whole(pieces));
    if (!differs) return holds();
    return broken("a list with includeArtifacts lacks the artifacts of its tasks", {
      saw: brief(entry.json["artifacts"] ?? "no artifacts"),
      spot: { within: entry.json, tail: ".artifacts" },
      want: brief(task.json["artifacts"]),
      at: [call, got],
    });
  },
});

export const filterChecks: readonly Check[] = [
  byContext,
  byStatus,
  filtersCombine,
  byTime,
  noArtifactsUnasked,
  artifactsOnRequest,
];
