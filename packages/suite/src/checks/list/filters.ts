import type { JsonObject } from "@assay/protocol";
import { matches } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, isEnded, type LooseTask } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import {
  firstFilledPage,
  type ListPages,
  listPages,
  listWith,
  listWithin,
  taskList,
} from "../../observations/list-pages.ts";
import { sentMessage, taskAtRest } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { taskWithArtifacts, taskWithFile } from "../../observations/task-with-artifacts.ts";
import { timeOf } from "../lifecycle/times.ts";
import { stored, whole } from "../stream/assembled.ts";

const refusedFilter = (name: string, call: Call): Finding =>
  broken(`ListTasks with ${name} does not return a list`, answerOf(call, "a list"));

/** Returns the listed tasks that do not change any more. */
const ended = ({ tasks }: ListPages): readonly LooseTask[] => tasks.filter(({ state }) => isEnded(state));

/** Returns a state that none of these tasks has. */
const otherState = (tasks: readonly LooseTask[]): string =>
  ["TASK_STATE_REJECTED", "TASK_STATE_CANCELED", "TASK_STATE_FAILED", "TASK_STATE_COMPLETED"].find(
    (state) => !tasks.some((task) => task.state === state),
  )!;

export const byContext = activeCheck("LIST-015", {
  uses: { listPages, taskAtRest },
  async judge({ listPages: { contextId, tasks }, taskAtRest: { last: stranger } }, target) {
    const { page, call, omitted } = await listWith(target, { contextId }, tasks);
    if (!page) return refusedFilter("contextId", call);
    const want = `tasks of the context ${contextId}`;
    const foreign = page.tasks.find(
      (task) => task.id === stranger.id || (task.contextId !== undefined && task.contextId !== contextId),
    );
    if (foreign && stranger.contextId !== contextId) {
      const saw = `a task of the context ${foreign.contextId}`;
      return broken("ListTasks with contextId returns tasks of another context", { saw, want, at: call });
    }
    if (omitted.length > 0)
      return broken("ListTasks with contextId omits a task of that context", {
        saw: `no ${omitted[0]?.id}`,
        want,
        at: call,
      });
    const nowhere = await firstFilledPage(target, { contextId: target.unknownId() });
    if (nowhere.page && nowhere.page.tasks.length > 0) {
      const saw = `${nowhere.page.tasks.length} tasks`;
      return broken("ListTasks with an unknown contextId returns tasks", { saw, want: "no tasks", at: nowhere.call });
    }
    return holds();
  },
});

export const byStatus = activeCheck("LIST-016", {
  uses: { listPages },
  async judge({ listPages: seen }, target) {
    const { contextId } = seen;
    const known = ended(seen);
    const [sample] = known;
    if (!sample?.state) return notApplicable("no task of this run has ended");
    const alike = known.filter(({ state }) => state === sample.state);
    const { page, call, omitted } = await listWith(target, { contextId, status: sample.state }, alike);
    if (!page) return refusedFilter("status", call);
    const want = `tasks in ${sample.state}`;
    const wrong = page.tasks.find(({ state }) => state !== sample.state);
    const rightAlone =
      wrong &&
      (await firstFilledPage(target, { status: sample.state })).page?.tasks.every(
        ({ state }) => state === sample.state,
      );
    if (wrong && !rightAlone)
      return broken("ListTasks with status returns a task in another state", {
        saw: brief(wrong.state),
        spot: { within: wrong.json, tail: ".status.state" },
        want,
        at: call,
      });
    for (const list of [{ omitted, call }, ...(seen.waiting ? [seen.waiting] : [])]) {
      const [missing] = list.omitted;
      if (!missing) continue;
      return broken("ListTasks with status omits a task in that state", {
        saw: `no ${missing.id}`,
        want: `tasks in ${missing.state}`,
        at: list.call,
      });
    }
    const other = otherState(known);
    const others = await firstFilledPage(target, { contextId, status: other });
    const stray = others.page?.tasks.find(({ state }) => state !== other);
    // If the state filter works alone, LIST-017 judges the combination.
    const alone = stray && (await firstFilledPage(target, { status: other })).page;
    if (stray && alone?.tasks.some(({ state }) => state !== other)) {
      const saw = brief(stray.state);
      return broken("ListTasks with status returns a task in another state", {
        saw,
        want: `tasks in ${other}`,
        at: others.call,
      });
    }
    return holds();
  },
});

export const filtersCombine = activeCheck("LIST-017", {
  uses: { listPages },
  async judge({ listPages: seen }, target) {
    const { contextId } = seen;
    const known = ended(seen);
    const state = known[0]?.state;
    if (state === undefined) return notApplicable("no task of this run has ended");
    const other = otherState(known);
    const nowhere = target.unknownId();
    const [byPlace, byState] = [
      await firstFilledPage(target, { contextId: nowhere }),
      await firstFilledPage(target, { status: other }),
    ];
    const alone = byPlace.page?.tasks.length === 0 && byState.page?.tasks.every((task) => task.state === other);
    if (!alone) return notExamined("not-triggered", "the filters do not work one at a time");
    for (const params of [
      { contextId, status: other },
      { contextId: nowhere, status: state },
    ]) {
      const { page, call } = await firstFilledPage(target, params);
      if (!page)
        return notExamined("not-triggered", `the agent refuses the two filters together: ${describeReply(call)}`);
      const stray = page.tasks.find((task) => known.some(({ id }) => id === task.id) || params.contextId === nowhere);
      if (!stray) continue;
      return broken("ListTasks with two filters returns tasks that match only one of them", {
        saw: `a task of the context ${stray.contextId} in ${stray.state}`,
        want: `no task, for contextId ${params.contextId} and status ${params.status}`,
        at: call,
      });
    }
    return holds();
  },
});

export const byTime = activeCheck("LIST-018", {
  uses: { listPages },
  async judge({ listPages: seen }, target) {
    const { contextId } = seen;
    const newest = ended(seen).at(-1);
    const time = newest && Date.parse(timeOf(newest) ?? "");
    if (!newest || time === undefined || Number.isNaN(time))
      return notApplicable("the agent's tasks have no status.timestamp");
    const at = (shift: number): string => new Date(time + shift).toISOString();
    const since = await listWith(target, { contextId, statusTimestampAfter: at(-1_000) }, [newest]);
    // A future time may be refused. After this pause, the requested time is past by any clock.
    await target.sleep(1_100);
    const later = await firstFilledPage(target, { contextId, statusTimestampAfter: at(1_000) });
    for (const { page, call } of [since, later]) {
      // LIST-024 judges an error for an empty result.
      if (!page && !matches(call, "TaskNotFound")) return refusedFilter("statusTimestampAfter", call);
    }
    const stray = later.page?.tasks.find((task) => task.id === newest.id || isBefore(task, time + 1_000));
    if (stray) {
      return broken("ListTasks returns tasks whose status is older than statusTimestampAfter", {
        saw: brief(timeOf(stray)),
        spot: { within: stray.json, tail: ".status.timestamp" },
        want: `nothing before ${at(1_000)}`,
        at: later.call,
      });
    }
    const old = since.page?.tasks.find((task) => isBefore(task, time - 1_000));
    if (old) {
      return broken("ListTasks returns tasks whose status is older than statusTimestampAfter", {
        saw: brief(timeOf(old)),
        spot: { within: old.json, tail: ".status.timestamp" },
        want: `nothing before ${at(-1_000)}`,
        at: since.call,
      });
    }
    if (since.omitted.length > 0) {
      return broken("ListTasks omits a task whose status is newer than statusTimestampAfter", {
        saw: `no ${newest.id}`,
        want: `the task with the status of ${brief(timeOf(newest))}`,
        at: since.call,
      });
    }
    return judgeBoundary(newest, { contextId, statusTimestampAfter: at(-1_000) }, target);
  },
});

/** The name says "after", the comment "greater than or equal" (AMB-30). `wider` is a list that has shown the task. */
async function judgeBoundary(task: LooseTask, wider: JsonObject, target: Target): Promise<Finding> {
  const params = { ...wider, statusTimestampAfter: timeOf(task)! };
  const { call, omitted } = await listWithin(target, params, task, wider);
  if (omitted.length === 0) return holds();
  return breach("boundary-left-out", "ListTasks omits a task whose status time equals statusTimestampAfter", {
    saw: `no ${task.id}`,
    want: "tasks of that time or later",
    at: call,
  });
}

const isBefore = (task: LooseTask, time: number): boolean => Date.parse(timeOf(task) ?? "") < time;

const noArtifacts = notExamined(
  "prompt",
  "no task of this run has artifacts",
  "prompts.task in assay.yaml: a prompt whose task ends with an artifact",
);

/** Created before the list is read, so that it contains a task with artifacts. */
const artifactsFrom = { sentMessage, taskStream, taskWithFile };

export const noArtifactsUnasked = activeCheck("LIST-019", {
  uses: { taskList, taskWithArtifacts },
  also: artifactsFrom,
  last: true,
  async judge({ taskWithArtifacts: rich }, target) {
    const where = rich?.task.contextId ? { contextId: rich.task.contextId } : {};
    const want = "no artifacts member";
    let isListed = false;
    for (const params of [where, { ...where, includeArtifacts: false }]) {
      const { page, call } = await listWith(target, params, rich ? [rich.task] : []);
      if (!page) return notExamined("not-triggered", `the agent refuses to list tasks: ${describeReply(call)}`);
      const full = page.tasks.find(({ artifacts }) => artifacts.length > 0);
      if (full) {
        const saw = brief(full.json["artifacts"]);
        return broken("ListTasks returns artifacts that the client did not request", { saw, want, at: call });
      }
      // gRPC cannot express an empty list.
      const empty = target.on.binding !== "GRPC" && page.tasks.find(({ json }) => Object.hasOwn(json, "artifacts"));
      if (empty) {
        const saw = `artifacts: ${brief(empty.json["artifacts"])}`;
        return breach("empty-list-member", "ListTasks returns tasks with an empty artifacts member", {
          saw,
          want,
          at: call,
        });
      }
      isListed = page.tasks.some(({ id }) => id === rich?.task.id);
    }
    // Without artifacts, it is unknown whether the agent would omit them.
    if (!rich) return noArtifacts;
    return isListed ? holds() : notExamined("not-triggered", "the task with artifacts is not listed");
  },
});

export const artifactsOnRequest = activeCheck("LIST-020", {
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
    return broken("ListTasks with includeArtifacts omits the artifacts of its tasks", {
      saw: brief(entry.json["artifacts"] ?? "no artifacts"),
      spot: { within: entry.json, tail: ".artifacts" },
      want: brief(task.json["artifacts"]),
      at: [call, got],
    });
  },
});
