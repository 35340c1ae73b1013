import type { JsonObject, JsonValue } from "@assay/protocol";
import { expectInvalid, isInternal, matches } from "../../answers/expect-error.ts";
import { asList, asObject, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, type LooseTask, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
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

/** Long ago, so that everything is later. The first two are the same moment. */
const forms = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.123456Z"] as const;

export const readsTimes = activeCheck("DATA-009", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    // Runs one after the other and repeats the first, to detect a task that another check starts meanwhile.
    const page = (more: { statusTimestampAfter?: string }): Promise<Call> =>
      target.call("ListTasks", {
        ...(last.contextId !== undefined && { contextId: last.contextId }),
        pageSize: 100,
        ...more,
      });
    const askAll = async (): Promise<Asked[]> => {
      const asked: Asked[] = [];
      for (const form of [...forms, forms[0]]) asked.push({ form, call: await page({ statusTimestampAfter: form }) });
      return asked;
    };
    // A task that appears late or is deleted meanwhile makes a difference only once.
    const asked = await untilSeen(target, "list", askAll, (answers) => isRefused(answers) || !differenceIn(answers));
    const refused = asked.find(({ call }) => call.reply.is !== "result");
    if (refused) {
      const control = await page({});
      if (control.reply.is !== "result")
        return notExamined(
          "not-triggered",
          `the agent refuses ListTasks without a filter too (${describeReply(control)})`,
        );
      const { form, call } = refused;
      const tell = isInternal(call) ? crashed : broken;
      return tell(`the agent does not understand statusTimestampAfter ${form}`, answerOf(call, "a page of tasks"));
    }
    const differs = last.contextId === undefined ? undefined : differenceIn(asked);
    if (!differs) return holds();
    return broken("statusTimestampAfter selects different tasks with and without a zero fraction", {
      saw: `${brief(differs.stayed)} without it; ${brief(differs.zeroes)} with it`,
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

/** Returns the tasks that the two spellings of one moment select, if they differ. */
function differenceIn(asked: readonly Asked[]) {
  const [before, zeroes, , after] = asked.map(({ call }) => taskIdsIn(call).toSorted());
  if (!before || !zeroes || !after || isCut([before, zeroes, after])) return undefined;
  const stayed = before.filter((id) => after.includes(id));
  const missing = stayed.filter((id) => !zeroes.includes(id));
  const added = zeroes.filter((id) => !before.includes(id) && !after.includes(id));
  return missing.length + added.length === 0 ? undefined : { stayed, zeroes };
}

/** A full page may omit any task. */
const isCut = (pages: readonly (readonly string[])[]): boolean => pages.some((page) => page.length >= 100);

const breaksDown = (call: Call, what: string): Finding | undefined =>
  isInternal(call) || call.reply.is === "failure" || call.exchange.http.response?.status === 500
    ? crashed(`${what} causes an internal error or no response`, answerOf(call, "a response, or an error"))
    : undefined;

export const ignoresUnknownMembers = activeCheck("DATA-014", {
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
        "the agent refuses a request because of unknown members",
        answerOf(call, `the response to the same request without them: ${describeReply(control)}`),
      )
    );
  },
});

/** Values of `data` other than an object. */
const values: readonly (readonly [what: string, value: JsonValue])[] = [
  ["an array", [1, "two", { three: 3 }]],
  ["a string", "text"],
  ["a number", 4.5],
  ["true", true],
  ["null", null],
];

export const readsAnyData = activeCheck("DATA-022", {
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const control = refusalOfUnknownTask(asked);
    const withData = (data: JsonValue): Promise<Call> => sendToUnknownTask(target, { parts: [{ data }] });
    const object = await withData({ key: "value" });
    if (!isSameError(object, control))
      return breaksDown(object, "a data part") ?? notApplicable("the agent accepts no data parts");
    for (const [what, value] of values) {
      const call = await withData(value);
      if (isSameError(call, control) || matches(call, "ContentTypeNotSupported")) continue;
      const details = answerOf(call, "the same response as for a data part with an object");
      const message = `the agent refuses a data part with ${what} but accepts one with an object`;
      return (
        breaksDown(call, `${what} as data`) ?? breach(value === null ? "null-data-refused" : "broken", message, details)
      );
    }
    return holds();
  },
});

/** Sends a message with an unusual form, which the agent may accept or refuse, but not crash on. */
const survives = async (target: Target, what: string, message: JsonObject): Promise<Finding | undefined> =>
  breaksDown(await sendToUnknownTask(target, message), what);

export const survivesProtoJson = activeCheck("DATA-033", {
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    refusalOfUnknownTask(asked);
    return (
      (await survives(target, "a null member", { contextId: null, metadata: null, extensions: null })) ??
      (await survives(target, "null inside metadata", { metadata: { note: null } })) ??
      (await survives(target, "a role as a number", { role: 1 })) ??
      holds()
    );
  },
});

export const survivesOldForms = activeCheck("LEG-007", {
  uses: { unknownTask },
  // Protobuf cannot express the member `kind`.
  bindings: ["JSONRPC", "HTTP+JSON"],
  async judge({ unknownTask: asked }, target) {
    refusalOfUnknownTask(asked);
    return (await survives(target, "a message with kind", { kind: "message" })) ?? holds();
  },
});

export const refusesMissingMembers = activeCheck("DATA-012", {
  uses: { invalidInput },
  async judge({ invalidInput: cases }, target) {
    const lacking = cases.filter(({ missing }) => missing);
    const judged = lacking.map(({ what, call }) => expectInvalid(call, what));
    // In a path, a missing id makes a different request.
    if (target.on.binding !== "HTTP+JSON")
      for (const operation of ["GetTask", "CancelTask"] as const)
        judged.push(
          expectInvalid(await target.call(operation, {}, { share: "without an id" }), `${operation} without an id`),
        );
    if (cases.unsent && !judged.some(({ is }) => is === "breach")) throw cases.unsent;
    return judged.length ? judged : notExamined("not-triggered", "Assay sent no such request");
  },
});

export const tellsUnsetFromZero = activeCheck("DATA-029", {
  last: true,
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const judged = [await ofHistory(target, last), await ofArtifacts(target, last)].filter(
      (finding) => finding !== undefined,
    );
    return judged.length ? judged : notApplicable("the task has neither history nor artifacts to omit");
  },
});

async function ofHistory(target: Target, { id }: LooseTask) {
  const unset = await target.call("GetTask", { id });
  const all = taskIn(unset)?.history.length ?? 0;
  if (all === 0) return undefined;
  const zero = await target.call("GetTask", { id, historyLength: 0 }, { share: `no history ${id}` });
  const shown = taskIn(zero)?.history.length;
  // Other rules judge a refused request.
  if (shown === undefined) return undefined;
  if (shown < all) return holds();
  return broken("the agent treats historyLength 0 as unset", {
    saw: `${shown} messages with historyLength 0; ${all} without`,
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
  // LIST-019 judges artifacts that were not requested.
  if (!withTrue?.length || without === undefined || withFalse === undefined || without.length > 0) return undefined;
  if (withFalse.length === 0) return holds();
  return broken("the agent treats includeArtifacts false as true", {
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

/** With this many times, a missing fraction is not chance. */
const enough = 3;

export const tellsMilliseconds = activeCheck("DATA-008", {
  uses: { taskAtRest },
  also: { tasksInOneContext, slowTask },
  judge({ taskAtRest: { last }, tasksInOneContext: several, slowTask: working }) {
    const calls = [several?.plain, several?.referring, working?.first].flatMap((call) => call ?? []);
    const tasks: readonly LooseTask[] = [last, ...calls.flatMap((call) => taskIn(call) ?? [])];
    const times = tasks.flatMap((task) => timeOf(task) ?? []);
    if (times.length === 0) return notApplicable("the agent's tasks have no timestamps");
    if (times.some((time) => /\.\d*[1-9]/.test(time))) return holds();
    if (times.length < enough) return notExamined("not-triggered", "the run saw too few timestamps");
    return holds("no timestamp has fractions of a second, so tasks of the same second have no order");
  },
});
