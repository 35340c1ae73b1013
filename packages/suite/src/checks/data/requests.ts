import type { JsonObject, JsonValue } from "@assay/protocol";
import { expectInvalid, isInternal, matches } from "../../answers/expect-error.ts";
import { asList, asObject, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, type LooseTask, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { tasksInOneContext } from "../../observations/contexts.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { taskIdsIn } from "../../observations/principals.ts";
import { isSameError, refusalOfUnknownTask, sendToUnknownTask } from "../../observations/send-to-unknown-task.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { untilSeen } from "../../observations/until-seen.ts";
import { timeOf } from "../lifecycle/times.ts";

/** Long ago, so that everything is later: the first two are the same moment. */
const forms = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.123456Z"] as const;

const readsTimes = activeCheck({
  id: "DATA-009",
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    // One after the other, and the first once more: a task another probe starts meanwhile is then seen for what it is.
    const page = (more: { statusTimestampAfter?: string }): Promise<Call> =>
      target.call("ListTasks", {
        ...(last.contextId !== undefined && { contextId: last.contextId }),
        pageSize: 100,
        ...more,
      });
    const control = await page({});
    if (control.reply.is !== "result")
      return notExamined("not-triggered", `ListTasks is refused without a filter too (${describeReply(control)})`);
    const askAll = async (): Promise<Asked[]> => {
      const asked: Asked[] = [];
      for (const form of [...forms, forms[0]]) asked.push({ form, call: await page({ statusTimestampAfter: form }) });
      return asked;
    };
    // A task that appears late or is purged meanwhile makes a difference once, and not again and again.
    const asked = await untilSeen(target, "list", askAll, (answers) => isRefused(answers) || !differenceIn(answers));
    const refused = asked.find(({ call }) => call.reply.is !== "result");
    if (refused) {
      const { form, call } = refused;
      const tell = isInternal(call) ? crashed : broken;
      return tell(`statusTimestampAfter is not understood as ${form}`, answerOf(call, "a page of tasks"));
    }
    const differs = last.contextId === undefined ? undefined : differenceIn(asked);
    if (!differs) return holds();
    return broken("the same moment selects other tasks when it is written with a fraction of zeroes", {
      saw: `${brief(differs.stayed)} without it, ${brief(differs.zeroes)} with it`,
      want: "the same tasks",
      at: asked.slice(0, 2).map(({ call }) => call),
    });
  },
});

interface Asked {
  readonly form: string;
  readonly call: Call;
}

const isRefused = (asked: readonly Asked[]): boolean => asked.some(({ call }) => call.reply.is !== "result");

/** The tasks that the two spellings of one moment select, where they differ. */
function differenceIn(asked: readonly Asked[]) {
  const [before, zeroes, , after] = asked.map(({ call }) => taskIdsIn(call).toSorted());
  if (!before || !zeroes || !after || isCut([before, zeroes, after])) return undefined;
  const stayed = before.filter((id) => after.includes(id));
  const missing = stayed.filter((id) => !zeroes.includes(id));
  const added = zeroes.filter((id) => !before.includes(id) && !after.includes(id));
  return missing.length + added.length === 0 ? undefined : { stayed, zeroes };
}

/** A page that is full may leave out any task. */
const isCut = (pages: readonly (readonly string[])[]): boolean => pages.some((page) => page.length >= 100);

const breaksDown = (call: Call, what: string): Finding | undefined =>
  isInternal(call) || call.reply.is === "failure" || call.exchange.http.response?.status === 500
    ? crashed(`${what} makes the agent break down`, answerOf(call, "an answer, or a refusal"))
    : undefined;

const ignoresUnknownMembers = activeCheck({
  id: "DATA-014",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const control = refusalOfUnknownTask(asked);
    const xUnknown = 1;
    const call = await sendToUnknownTask(
      target,
      { xUnknown, parts: target.message("task").parts.map((part) => ({ ...part, xUnknown })) as unknown as JsonValue },
      { xUnknown, configuration: { xUnknown } },
    );
    if (isSameError(call, control)) return holds();
    return (
      breaksDown(call, "an unknown member") ??
      broken(
        "a request with unknown members is refused for them",
        answerOf(call, `the answer to the same request without them: ${describeReply(control)}`),
      )
    );
  },
});

/** What may stand in `data`, besides an object. */
const values: readonly (readonly [what: string, value: JsonValue])[] = [
  ["an array", [1, "two", { three: 3 }]],
  ["a string", "text"],
  ["a number", 4.5],
  ["true", true],
  ["null", null],
];

const readsAnyData = activeCheck({
  id: "DATA-022",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const control = refusalOfUnknownTask(asked);
    const withData = (data: JsonValue): Promise<Call> => sendToUnknownTask(target, { parts: [{ data }] });
    const object = await withData({ key: "value" });
    if (!isSameError(object, control))
      return breaksDown(object, "a data part") ?? notApplicable("the agent takes no data parts");
    for (const [what, value] of values) {
      const call = await withData(value);
      if (isSameError(call, control) || matches(call, "ContentTypeNotSupported")) continue;
      const details = answerOf(call, "to be read like a data part that holds an object");
      const message = `a data part that holds ${what} is refused, one with an object is not`;
      return (
        breaksDown(call, `${what} as data`) ?? breach(value === null ? "null-data-refused" : "broken", message, details)
      );
    }
    return holds();
  },
});

/** Reads a message that is written in an unusual way: taken or refused, but not stumbled over. */
const survives = async (target: Target, what: string, message: JsonObject): Promise<Finding | undefined> =>
  breaksDown(await sendToUnknownTask(target, message), what);

const survivesProtoJson = activeCheck({
  id: "DATA-033",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    refusalOfUnknownTask(asked);
    return (
      (await survives(target, "a member that is null", { contextId: null, metadata: null, extensions: null })) ??
      (await survives(target, "null inside metadata", { metadata: { note: null } })) ??
      (await survives(target, "a role given by its number", { role: 1 })) ??
      holds()
    );
  },
});

const survivesOldForms = activeCheck({
  id: "LEG-007",
  uses: { unknownTask },
  // Over gRPC there is no place for it.
  bindings: ["JSONRPC", "HTTP+JSON"],
  async judge({ unknownTask: asked }, target) {
    refusalOfUnknownTask(asked);
    return (await survives(target, "a message with kind", { kind: "message" })) ?? holds();
  },
});

const refusesMissingMembers = activeCheck({
  id: "DATA-012",
  uses: { invalidInput },
  async judge({ invalidInput: cases }, target) {
    const lacking = cases.filter(({ missing }) => missing);
    const judged = lacking.map(({ what, call }) => expectInvalid(call, what));
    // In a path the id cannot be left out without asking for something else.
    if (target.on.binding !== "HTTP+JSON")
      for (const operation of ["GetTask", "CancelTask"] as const)
        judged.push(expectInvalid(await target.call(operation, {}), `${operation} without an id`));
    if (cases.unsent && !judged.some(({ is }) => is === "breach")) throw cases.unsent;
    return judged.length ? judged : notExamined("not-triggered", "no such request was sent");
  },
});

const tellsUnsetFromZero = activeCheck({
  id: "DATA-029",
  last: true,
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const judged = [await ofHistory(target, last), await ofArtifacts(target, last)].filter(
      (finding) => finding !== undefined,
    );
    return judged.length ? judged : notApplicable("the task has neither history nor artifacts to be left out");
  },
});

async function ofHistory(target: Target, { id }: LooseTask) {
  const unset = await target.call("GetTask", { id });
  const all = taskIn(unset)?.history.length ?? 0;
  if (all === 0) return undefined;
  const zero = await target.call("GetTask", { id, historyLength: 0 });
  const shown = taskIn(zero)?.history.length;
  // Refused: what must be understood is for others to say.
  if (shown === undefined) return undefined;
  if (shown < all) return holds();
  return broken("historyLength 0 is taken as if it were not given", {
    saw: `${shown} messages with historyLength 0, ${all} without`,
    want: "no messages",
    at: [zero, unset],
  });
}

async function ofArtifacts(target: Target, { id, contextId }: LooseTask) {
  const page = (more: { includeArtifacts?: boolean }): Promise<Call> =>
    target.call("ListTasks", { ...(contextId !== undefined && { contextId }), pageSize: 100, ...more });
  const [unset, no, yes] = [
    await page({}),
    await page({ includeArtifacts: false }),
    await page({ includeArtifacts: true }),
  ];
  const [without, withFalse, withTrue] = [unset, no, yes].map((call) => artifactsOf(call, id));
  // Where they are shown to those who did not ask either, LIST-019 says so.
  if (!withTrue?.length || without === undefined || withFalse === undefined || without.length > 0) return undefined;
  if (withFalse.length === 0) return holds();
  return broken("includeArtifacts false is taken as if it were true", {
    saw: brief(withFalse),
    want: "no artifacts",
    at: [no, unset],
  });
}

function artifactsOf(call: Call, id: string) {
  const task = asList(asObject(resultOf(call))?.["tasks"])
    .map(asObject)
    .find((each) => each?.["id"] === id);
  return task && asList(task["artifacts"]);
}

/** So many that it is no chance when none of them has a fraction. */
const enough = 3;

const tellsMilliseconds = activeCheck({
  id: "DATA-008",
  uses: { taskAtRest },
  also: { tasksInOneContext, slowTask },
  judge({ taskAtRest: { last }, tasksInOneContext: several, slowTask: working }) {
    const calls = [several?.plain, several?.referring, working?.first].flatMap((call) => call ?? []);
    const tasks: readonly LooseTask[] = [last, ...calls.flatMap((call) => taskIn(call) ?? [])];
    const times = tasks.flatMap((task) => timeOf(task) ?? []);
    if (times.length === 0) return notApplicable("the agent's tasks show no times");
    if (times.some((time) => /\.\d*[1-9]/.test(time))) return holds();
    if (times.length < enough) return notExamined("not-triggered", "too few times were seen to tell");
    return holds("no time has a fraction of a second, so that tasks of one second have no order");
  },
});

export const requestChecks: readonly Check[] = [
  readsTimes,
  tellsMilliseconds,
  refusesMissingMembers,
  ignoresUnknownMembers,
  readsAnyData,
  survivesProtoJson,
  survivesOldForms,
  tellsUnsetFromZero,
];
