import type { JsonObject } from "@assay/protocol";
import { isInternal, isRefusal } from "../../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../../answers/loose-json.ts";
import { answerOf, describeReply, type LooseTask, resultOf, taskIn } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notExamined } from "../../../define/finding.ts";
import { skipped } from "../../../define/obstacle.ts";
import type { Target } from "../../../define/target.ts";
import { invalidInput } from "../../../observations/invalid-input.ts";
import { listPages, pageIn } from "../../../observations/list-pages.ts";
import { sentCall } from "../../../observations/sent-calls.ts";
import { sentMessage, taskAtRest } from "../../../observations/sent-message.ts";
import { taskWithArtifacts } from "../../../observations/task-with-artifacts.ts";
import { untilListed } from "../../../observations/until-seen.ts";
import { bindingName } from "../../../report/group.ts";
import { textOf } from "../bodies.ts";

/** Checks of the parameters of ListTasks, in JSON or in a query. */

const listed = (call: Call): readonly LooseTask[] => pageIn(call)?.tasks ?? [];

const holdsTask = (call: Call, { id }: LooseTask): boolean => listed(call).some((task) => task.id === id);

/** Lists the tasks of the task's context, with further parameters. */
const listOf = (target: Target, task: LooseTask, more: JsonObject = {}): Promise<Call> =>
  target.call("ListTasks", { ...(task.contextId !== undefined && { contextId: task.contextId }), ...more });

/** Requests a list that should contain the task; stops if the agent has deleted the task or does not know it yet. */
async function listWithTask(target: Target, task: LooseTask, ask: () => Promise<Call>): Promise<Call> {
  const lacks = (list: Call): boolean => list.reply.is === "result" && !holdsTask(list, task);
  const { list, omitted } = await untilListed(target, ask, (call) => (lacks(call) ? [task] : []));
  if (lacks(list) && omitted.length === 0)
    throw skipped("not-triggered", "the list does not contain the task, and GetTask did not find it either");
  return list;
}

const notListed = (call: Call): Finding =>
  notExamined("not-triggered", `the list of the context does not contain the task: ${describeReply(call)}`);

/** Returns a state that the task does not have. */
const otherState = (task: LooseTask): string =>
  task.state === "TASK_STATE_REJECTED" ? "TASK_STATE_FAILED" : "TASK_STATE_REJECTED";

/** Returns each parameter with a value that excludes the task. An agent that still lists it ignores the parameter. */
function excluding(target: Target, task: LooseTask): [name: string, params: JsonObject][] {
  const timed = asText(asObject(task.json["status"])?.["timestamp"]) !== undefined;
  return [
    ["contextId", { contextId: target.unknownId() }],
    ["status", { status: otherState(task) }],
    ...(timed
      ? [["statusTimestampAfter", { statusTimestampAfter: "2099-01-01T00:00:00Z" }] as [string, JsonObject]]
      : []),
  ];
}

/** A call with a parameter that has no effect; undefined if it has an effect, or cannot have one. */
type WithoutEffect = { readonly call: Call; readonly saw: string } | undefined;

interface Trial {
  readonly name: string;
  /** `several`: a filter for a list with several tasks, if known */
  readonly try: (target: Target, task: LooseTask, several: JsonObject) => Promise<WithoutEffect>;
}

const shownIn = (call: Call, { id }: LooseTask): LooseTask | undefined => listed(call).find((task) => task.id === id);

/** Parameters that change the content of a task or page. */
const trials: readonly Trial[] = [
  {
    name: "pageToken",
    async try(target, _task, several) {
      const params = { ...several, pageSize: 1 };
      const page = await target.call("ListTasks", params);
      const pageToken = asText(asObject(resultOf(page))?.["nextPageToken"]);
      const [first] = listed(page);
      if (!pageToken || !first) return undefined;
      const next = await target.call("ListTasks", { ...params, pageToken });
      // A new task shifts offset-based pages, so the first page changes too.
      const [again] = listed(await target.call("ListTasks", params));
      const isSame = listed(next)[0]?.id === first.id && again?.id === first.id;
      return isSame ? { call: next, saw: "the first page again" } : undefined;
    },
  },
  {
    name: "historyLength",
    async try(target, { id }) {
      const whole = taskIn(await target.call("GetTask", { id }))?.history.length ?? 0;
      const call = await target.call("GetTask", { id, historyLength: 0 });
      const shown = taskIn(call)?.history.length ?? 0;
      return whole > 0 && shown > 0 ? { call, saw: `${shown} messages with historyLength=0` } : undefined;
    },
  },
  {
    name: "includeArtifacts",
    async try(target, task) {
      if (!task.artifacts.length) return undefined;
      const plain = shownIn(await listOf(target, task), task);
      const call = await listOf(target, task, { includeArtifacts: true });
      const shown = shownIn(call, task);
      // LIST-019 judges artifacts that were not requested.
      if (!plain || !shown || plain.artifacts.length || shown.artifacts.length) return undefined;
      return { call, saw: "a task without artifacts" };
    },
  },
];

/**
 * If a member has no effect over another binding either, the rule of that member judges it, not the rule about queries.
 */
async function inQuery(trial: Trial, target: Target, task: LooseTask, several: JsonObject): Promise<Finding> {
  const ignored = await trial.try(target, task, several);
  if (!ignored) return holds();
  const other = target.sameVersion.find(({ on }) => on.binding !== target.on.binding && on.tenant === target.on.tenant);
  if (other && (await trial.try(other, task, several)))
    return notExamined("prerequisite", `${trial.name} has no effect over ${bindingName(other.on.binding)} either`);
  const { call, saw } = ignored;
  return broken(`${trial.name} in a query has no effect`, { saw, want: `an effect of ${trial.name}`, at: call });
}

/** Checks that the agent reads the filtering parameters by their proto names. */
async function judgeFilters(task: LooseTask, target: Target): Promise<Finding | readonly Finding[]> {
  const control = await listOf(target, task);
  if (!holdsTask(control, task)) return notListed(control);
  const findings = await Promise.all(
    excluding(target, task).map(async ([name, params]): Promise<Finding> => {
      const call = await listOf(target, task, params);
      const details = answerOf(call, `an effect of ${name}`);
      if (isInternal(call)) return crashed(`ListTasks with ${name} returns an internal error`, details);
      return holdsTask(call, task) ? broken(`${name} has no effect on ListTasks`, details) : holds();
    }),
  );
  const one = await target.call("ListTasks", { pageSize: 1 });
  const isPaged = listed(one).length <= 1;
  const paged = isPaged
    ? holds()
    : broken("pageSize has no effect on ListTasks", {
        saw: `${listed(one).length} tasks`,
        want: "one task",
        at: one,
      });
  return [...findings, paged];
}

export const namesInJson = activeCheck("JSONRPC-026", {
  requires: ["scenario:task"],
  uses: { taskAtRest },
  judge: ({ taskAtRest: { last: task } }, target) => judgeFilters(task, target),
});

export const namesInQueries = activeCheck("REST-018", {
  requires: ["scenario:task"],
  uses: { taskAtRest },
  also: { listPages },
  // Some servers cut the stored history to the requested length.
  last: true,
  async judge({ taskAtRest: { last: task }, listPages: shelf }, target) {
    const findings = [await judgeFilters(task, target)].flat();
    const several = shelf ? { contextId: shelf.contextId } : {};
    for (const trial of trials) findings.push(await inQuery(trial, target, task, several));
    return findings;
  },
});

export const booleansInQueries = activeCheck("REST-020", {
  uses: { taskWithArtifacts },
  also: { sentMessage },
  last: true,
  async judge({ taskWithArtifacts: rich }, target) {
    if (!rich) return notExamined("prompt", "no task of this run has artifacts", "prompts.task in assay.yaml");
    const { task } = rich;
    const [yes, no, unset] = await Promise.all(
      [{ includeArtifacts: true }, { includeArtifacts: false }, {}].map((more) => listOf(target, task, more)),
    );
    const shown = (call: Call | undefined): LooseTask | undefined => shownIn(call!, task);
    if (!shown(yes) || !shown(no)) return notListed(shown(yes) ? no! : yes!);
    // LIST-019 judges artifacts that were not requested, and then false has no visible effect.
    if (shown(unset)?.artifacts.length)
      return notExamined("not-triggered", "the agent lists artifacts without includeArtifacts too");
    if (shown(no)!.artifacts.length)
      return broken("the agent reads includeArtifacts=false in a query as true", {
        saw: "a task with artifacts",
        want: "a task without artifacts",
        at: no!,
      });
    if (!shown(yes)!.artifacts.length)
      return broken("the agent does not read includeArtifacts=true in a query as true", {
        saw: "a task without artifacts",
        want: "the artifacts of the task",
        at: yes!,
      });
    return holds();
  },
});

export const numbersInQueries = activeCheck("REST-021", {
  uses: { invalidInput },
  async judge({ invalidInput: inputs }, target) {
    const { call } = sentCall(inputs, ({ field }) => field === "pageSize")!;
    const status = call.exchange.http.response?.status ?? 0;
    const body = textOf(call.exchange.http.response?.body ?? new Uint8Array());
    const details = { saw: `HTTP ${status} ${brief(body, 120)}`, want: "HTTP 400 with the error body", at: call };
    const number = await target.call("ListTasks", { pageSize: 2 });
    if (number.reply.is !== "result")
      return notExamined("not-triggered", `the agent refuses pageSize=2: ${describeReply(number)}`);
    if (status >= 500) return crashed("an invalid number in a query returns an internal error", details);
    if (status < 400) return broken("an invalid number in a query returns no error", details);
    // REST-027 judges the form of the error.
    if (status === 400) return holds();
    return breach("other-client-error", `an invalid number in a query returns HTTP ${status}, expected 400`, details);
  },
});

export const enumsInQueries = activeCheck("REST-022", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last: task } }, target) {
    const control = await listOf(target, task);
    if (!holdsTask(control, task) || task.state === undefined) return notListed(control);
    // DATA-003 judges how states are written.
    if (!task.state.startsWith("TASK_STATE_"))
      return notExamined("not-triggered", "the state of the task is not a proto name");
    const same = await listWithTask(target, task, () => listOf(target, task, { status: task.state! }));
    const other = await listOf(target, task, { status: otherState(task) });
    const details = answerOf(same, `the tasks in ${task.state}`);
    if (isInternal(same)) return crashed("a state in a query returns an internal error", details);
    if (holdsTask(same, task))
      return holdsTask(other, task)
        ? broken("the state in a query has no effect", { ...details, saw: describeReply(other), at: other })
        : holds();
    const lower = await listOf(target, task, {
      status: task.state.replace("TASK_STATE_", "").toLowerCase().replace("_", "-"),
    });
    // The text of 1.0.0 showed status=working here.
    if (holdsTask(lower, task))
      return breach("lower-case-states", "the agent knows states in a query only in lower case", details);
    return broken("a state in a query finds none of its tasks", details);
  },
});

/** Sends the same request with another spelling of its query. */
const respelled = (target: Target, params: JsonObject, spell: (query: string) => string): Promise<Call> =>
  target.http("ListTasks", params, (request) => {
    const [path, query = ""] = request.url.split("?", 2) as [string, string?];
    return { ...request, url: `${path}?${spell(query)}` };
  });

export const timesInQueries = activeCheck("REST-023", {
  requires: ["scenario:task"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last: task } }, target) {
    const control = await listOf(target, task);
    if (!holdsTask(control, task)) return notListed(control);
    const params = { contextId: task.contextId ?? "", statusTimestampAfter: "2020-01-01T00:00:00Z" };
    const spellings = [(query: string) => query, (query: string) => query.replaceAll("%3A", ":")];
    return await Promise.all(
      spellings.map(async (spell): Promise<Finding> => {
        const call = await respelled(target, params, spell);
        const details = answerOf(call, "the tasks since 2020");
        if (isInternal(call)) return crashed("a timestamp in a query returns an internal error", details);
        if (call.reply.is !== "result") return broken("the agent refuses an ISO 8601 timestamp in a query", details);
        // The agent may omit a task without a timestamp (AMB-30).
        return holds();
      }),
    );
  },
});

export const encodedQueries = activeCheck("REST-024", {
  requires: ["scenario:task"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last: task } }, target) {
    const control = await listOf(target, task);
    if (!holdsTask(control, task) || task.contextId === undefined) return notListed(control);
    const encoded = [...Buffer.from(task.contextId)].map(
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    );
    const { contextId } = task;
    const call = await listWithTask(target, task, () =>
      respelled(target, { contextId }, () => `contextId=${encoded.join("")}`),
    );
    if (holdsTask(call, task)) return holds();
    const details = {
      saw: describeReply(call),
      want: "the same tasks as with the plain contextId",
      at: [call, control],
    };
    if (isInternal(call)) return crashed("a percent-encoded contextId returns an internal error", details);
    return broken(`a percent-encoded contextId ${isRefusal(call) ? "returns an error" : "finds nothing"}`, details);
  },
});
