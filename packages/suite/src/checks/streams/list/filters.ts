import type { JsonObject } from "@assay/protocol";
import { probe } from "../../../check.ts";
import { matches } from "../../../expect-error.ts";
import { broken, type Finding, holds, notApplicable, notExamined, tolerated } from "../../../finding.ts";
import type { Lab } from "../../../lab.ts";
import { settledTask } from "../../../observations/settled.ts";
import { type Page, pageIn, type Shelf, shelf } from "../../../observations/shelf.ts";
import { asObject, asText, brief, describeReply, isEnded, type LooseTask, taskIn } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { stored, whole } from "../assembled.ts";
import { stillThere } from "./paging.ts";

/** A list with these filters: the page, or how it was refused. */
async function list(lab: Lab, params: JsonObject): Promise<{ page: Page | undefined; talk: Talk }> {
  const talk = await lab.call("ListTasks", params);
  return { page: pageIn(talk), talk };
}

const refusedFilter = (name: string, talk: Talk): Finding =>
  broken(`ListTasks with ${name} is not answered with a list`, { saw: describeReply(talk), want: "a list", at: talk });

/** Those of the shelf that stay as they are. */
const ended = ({ tasks }: Shelf): readonly LooseTask[] => tasks.filter(({ state }) => isEnded(state));

/** A state that none of these tasks is in. */
const otherState = (tasks: readonly LooseTask[]): string =>
  ["TASK_STATE_REJECTED", "TASK_STATE_CANCELED", "TASK_STATE_FAILED", "TASK_STATE_COMPLETED"].find(
    (state) => !tasks.some((task) => task.state === state),
  )!;

export const byContext = probe({
  id: "LIST-015",
  title: "contextId restricts a list to its context",
  remedy: "Return only tasks whose contextId is the one asked for; over HTTP+JSON it comes as ?contextId=.",
  uses: { shelf, settledTask },
  async probe({ shelf: { contextId, tasks }, settledTask: { last: stranger } }, lab) {
    const { page, talk } = await list(lab, { contextId });
    if (!page) return refusedFilter("contextId", talk);
    const want = `tasks of the context ${contextId}`;
    const foreign = page.tasks.find(
      (task) => task.id === stranger.id || (task.contextId !== undefined && task.contextId !== contextId),
    );
    if (foreign && stranger.contextId !== contextId) {
      const saw = `a task of the context ${foreign.contextId}`;
      return broken("a list for one context has tasks of another", { saw, want, at: talk });
    }
    const missing = await stillThere(
      lab,
      tasks.filter(({ id }) => !page.tasks.some((task) => task.id === id)),
    );
    if (missing.length > 0 && !page.token)
      return broken("a list for a context lacks a task of it", { saw: `no ${missing[0]?.id}`, want, at: talk });
    const nowhere = await list(lab, { contextId: lab.unknownId() });
    if (nowhere.page && nowhere.page.tasks.length > 0) {
      const saw = `${nowhere.page.tasks.length} tasks`;
      return broken("a list for a context that nobody has is not empty", { saw, want: "no tasks", at: nowhere.talk });
    }
    return holds();
  },
});

export const byStatus = probe({
  id: "LIST-016",
  title: "status restricts a list to tasks in that state",
  remedy: "Return only tasks whose status.state is the one asked for, compared with its full name.",
  uses: { shelf },
  async probe({ shelf: seen }, lab) {
    const { contextId } = seen;
    const known = ended(seen);
    const [sample] = known;
    if (!sample?.state) return notApplicable("none of the tasks has ended");
    const alike = known.filter(({ state }) => state === sample.state);
    const { page, talk } = await list(lab, { contextId, status: sample.state });
    if (!page) return refusedFilter("status", talk);
    const want = `tasks in ${sample.state}`;
    const wrong = page.tasks.find(({ state }) => state !== sample.state);
    const rightAlone =
      wrong && (await list(lab, { status: sample.state })).page?.tasks.every(({ state }) => state === sample.state);
    if (wrong && !rightAlone)
      return broken("a list for one state has a task in another", { saw: brief(wrong.state), want, at: talk });
    const missing = await stillThere(
      lab,
      alike.filter(({ id }) => !page.tasks.some((task) => task.id === id)),
    );
    if (missing.length > 0 && !page.token)
      return broken("a list for a state lacks a task that is in it", { saw: `no ${missing[0]?.id}`, want, at: talk });
    const [asking, listed] = [seen.asked?.task, seen.waiting && pageIn(seen.waiting)];
    if (asking && listed && !listed.token && !listed.tasks.some(({ id }) => id === asking.id)) {
      return broken("a list for a state lacks a task that is in it", {
        saw: `no ${asking.id}`,
        want: `tasks in ${asking.state}`,
        at: listed.talk,
      });
    }
    const other = otherState(known);
    const others = await list(lab, { contextId, status: other });
    const stray = others.page?.tasks.find(({ state }) => state !== other);
    // Where the state alone does, it is the two filters together that do not (LIST-017).
    const alone = stray && (await list(lab, { status: other })).page;
    if (stray && alone?.tasks.some(({ state }) => state !== other)) {
      const saw = brief(stray.state);
      return broken("a list for one state has a task in another", { saw, want: `tasks in ${other}`, at: others.talk });
    }
    return holds();
  },
});

export const filtersCombine = probe({
  id: "LIST-017",
  title: "a task must satisfy all filters of a list",
  remedy: "Join filters with AND: contextId and status together list tasks that match both.",
  uses: { shelf },
  async probe({ shelf: seen }, lab) {
    const { contextId } = seen;
    const known = ended(seen);
    const state = known[0]?.state;
    if (state === undefined) return notApplicable("none of the tasks has ended");
    const other = otherState(known);
    const nowhere = lab.unknownId();
    const [byPlace, byState] = [await list(lab, { contextId: nowhere }), await list(lab, { status: other })];
    const alone = byPlace.page?.tasks.length === 0 && byState.page?.tasks.every((task) => task.state === other);
    if (!alone) return notExamined("no-occasion", "the filters do not work one by one");
    for (const params of [
      { contextId, status: other },
      { contextId: nowhere, status: state },
    ]) {
      const { page, talk } = await list(lab, params);
      if (!page) return notExamined("no-occasion", `the filters are refused together: ${describeReply(talk)}`);
      const stray = page.tasks.find((task) => known.some(({ id }) => id === task.id) || params.contextId === nowhere);
      if (!stray) continue;
      return broken("a list has tasks that satisfy one of two filters only", {
        saw: `a task of the context ${stray.contextId} in ${stray.state}`,
        want: `no task, for contextId ${params.contextId} and status ${params.status}`,
        at: talk,
      });
    }
    return holds();
  },
});

const timeOf = ({ json }: LooseTask): string | undefined => asText(asObject(json["status"])?.["timestamp"]);

export const byTime = probe({
  id: "LIST-018",
  title: "statusTimestampAfter leaves out tasks whose status is older",
  remedy: "Return only tasks whose status.timestamp is statusTimestampAfter or later.",
  uses: { shelf },
  async probe({ shelf: seen }, lab) {
    const { contextId } = seen;
    const newest = ended(seen).at(-1);
    const time = newest && Date.parse(timeOf(newest) ?? "");
    if (!newest || time === undefined || Number.isNaN(time))
      return notApplicable("the agent's tasks do not say when their status changed");
    const at = (shift: number): string => new Date(time + shift).toISOString();
    const since = await list(lab, { contextId, statusTimestampAfter: at(-1_000) });
    const later = await list(lab, { contextId, statusTimestampAfter: at(1_000) });
    for (const { page, talk } of [since, later]) {
      // An error for want of matches is another rule (LIST-024).
      if (!page && !matches(talk, "TaskNotFound")) return refusedFilter("statusTimestampAfter", talk);
    }
    const stray = later.page?.tasks.find((task) => task.id === newest.id || isBefore(task, time + 1_000));
    if (stray) {
      return broken("a list has tasks whose status is older than statusTimestampAfter", {
        saw: brief(timeOf(stray)),
        want: `nothing before ${at(1_000)}`,
        at: later.talk,
      });
    }
    const old = since.page?.tasks.find((task) => isBefore(task, time - 1_000));
    if (old) {
      return broken("a list has tasks whose status is older than statusTimestampAfter", {
        saw: brief(timeOf(old)),
        want: `nothing before ${at(-1_000)}`,
        at: since.talk,
      });
    }
    if (!since.page?.tasks.some(({ id }) => id === newest.id) && (await stillThere(lab, [newest])).length > 0) {
      return broken("a list lacks a task whose status is younger than statusTimestampAfter", {
        saw: `no ${newest.id}`,
        want: `the task whose status is of ${brief(timeOf(newest))}`,
        at: since.talk,
      });
    }
    return lab.strict ? judgeBoundary(newest, contextId, lab) : holds();
  },
});

/** Its name says "after" and its comment "greater than or equal": lenient readers do not judge the very time (AMB-30). */
async function judgeBoundary(task: LooseTask, contextId: string, lab: Lab): Promise<Finding> {
  const { page, talk } = await list(lab, { contextId, statusTimestampAfter: timeOf(task)! });
  if (!page || page.tasks.some(({ id }) => id === task.id) || (await stillThere(lab, [task])).length === 0)
    return holds();
  return broken("a list lacks a task whose status is of just the time in statusTimestampAfter", {
    saw: `no ${task.id}`,
    want: "tasks of that time or later",
    at: talk,
  });
}

const isBefore = (task: LooseTask, time: number): boolean => Date.parse(timeOf(task) ?? "") < time;

export const noArtifactsUnasked = probe({
  id: "LIST-019",
  title: "tasks are listed without artifacts unless they are asked for",
  remedy: "Leave the member artifacts out of every listed task where includeArtifacts is not true: no [], no null.",
  uses: { shelf },
  async probe({ shelf: { contextId } }, lab) {
    const want = "no member artifacts";
    for (const params of [{ contextId }, { contextId, includeArtifacts: false }]) {
      const { page, talk } = await list(lab, params);
      if (!page) return notExamined("no-occasion", `the list is refused: ${describeReply(talk)}`);
      const full = page.tasks.find(({ artifacts }) => artifacts.length > 0);
      if (full) {
        const saw = brief(full.json["artifacts"]);
        return broken("tasks are listed with artifacts that nobody asked for", { saw, want, at: talk });
      }
      // gRPC has no way to show an empty list.
      const empty = lab.on.binding !== "GRPC" && page.tasks.find(({ json }) => Object.hasOwn(json, "artifacts"));
      if (empty) {
        const saw = `artifacts: ${brief(empty.json["artifacts"])}`;
        return tolerated("AMB-08", "tasks are listed with an empty artifacts member", { saw, want, at: talk });
      }
    }
    return holds();
  },
});

export const artifactsOnRequest = probe({
  id: "LIST-020",
  title: "tasks are listed with their artifacts where they are asked for",
  remedy: "With includeArtifacts: true, list every task with the artifacts that GetTask shows.",
  uses: { shelf },
  async probe({ shelf: seen }, lab) {
    const rich = ended(seen).find(({ artifacts }) => artifacts.length > 0);
    if (!rich) return notApplicable("none of the tasks has artifacts");
    const { page, talk } = await list(lab, { contextId: seen.contextId, includeArtifacts: true });
    const got = await lab.call("GetTask", { id: rich.id });
    const task = taskIn(got);
    const entry = page?.tasks.find(({ id }) => id === rich.id);
    if (!entry || !task) return notExamined("no-occasion", "the task is not listed");
    const [shown, kept] = [stored(entry.artifacts), stored(task.artifacts)];
    const differs = [...kept].some(([id, pieces]) => whole(shown.get(id)) !== whole(pieces));
    if (!differs) return holds();
    return broken("a list with includeArtifacts lacks the artifacts of its tasks", {
      saw: brief(entry.json["artifacts"] ?? "no artifacts"),
      want: brief(task.json["artifacts"]),
      at: [talk, got],
    });
  },
});
