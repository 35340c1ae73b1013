import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, type LooseTask, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { bothCards, inNewerVersion, madeInNewerVersion } from "../../observations/both-versions.ts";
import { withVersion } from "../../observations/other-version.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { readElsewhere } from "../../observations/until-seen.ts";
import { difference } from "../../shapes/equivalence.ts";

const spellings = [
  { version: "", what: "an empty A2A-Version" },
  { version: "0.3", what: "A2A-Version 0.3" },
] as const;

const meansThisVersion = activeCheck({
  id: "V03-VER-002",
  // The 0.3 service of gRPC has a name of its own, and nothing to ask the version by.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    // The header came with 1.0; an agent that speaks nothing newer need not know it.
    inNewerVersion(target);
    const control = await target.call("GetTask", { id: last.id });
    if (!taskIn(control)) return notExamined("unstable", "the task is gone");
    for (const { version, what } of spellings) {
      const call = await target.call("GetTask", { id: last.id }, { edit: withVersion(version) });
      if (taskIn(call)?.state === taskIn(control)?.state) continue;
      const details = answerOf(call, "the answer that a request without the header gets");
      if (call.reply.is === "failure" || (isInternal(call) && call.exchange.http.response?.status === 500))
        return crashed(`a request of 0.3 with ${what} makes the agent break down`, details);
      return broken(`a request of 0.3 with ${what} is not served as 0.3`, details);
    }
    return holds();
  },
});

type Card = Readonly<Record<string, unknown>>;

const skillsOf = (card: Card): string =>
  asList(card["skills"])
    .flatMap((skill) => asText(asObject(skill)?.["id"]) ?? [])
    .toSorted()
    .join(", ");

const claims = (card: Card, capability: string): boolean => asObject(card["capabilities"])?.[capability] === true;

/** What tells clients whom they talk to and what it can do, whatever version they speak. */
const facts: Readonly<Record<string, (card: Card) => unknown>> = {
  name: (card) => card["name"],
  version: (card) => card["version"],
  skills: skillsOf,
  "capabilities.streaming": (card) => claims(card, "streaming"),
  "capabilities.pushNotifications": (card) => claims(card, "pushNotifications"),
};

const oneAgentOnBothCards = activeCheck({
  id: "V03-VER-005",
  once: true,
  uses: { bothCards },
  judge({ bothCards: { newer, older } }) {
    for (const [member, read] of Object.entries(facts)) {
      const [now, before] = [read(newer.json), read(older.json)];
      if (now !== before)
        return broken(`${member} differs between the card for 0.3 and the one for 1.0`, {
          saw: `${brief(before)} in 0.3, ${brief(now)} in 1.0`,
          want: "the same",
          at: [older.exchange, newer.exchange],
        });
    }
    return holds();
  },
});

/** Before 1.0 states were words, and what stood alone said what it was. */
type Form = "0.3" | "1.0";

function formOf({ said }: Call): Form | undefined {
  const task = said.is === "result" ? asObject(said.json) : undefined;
  const state = asText(asObject(task?.["status"])?.["state"]);
  if (state === undefined) return undefined;
  return state.startsWith("TASK_STATE_") ? "1.0" : "0.3";
}

/** One after the other, then all at once: an agent that keeps the version of another request is found by either. */
async function inTurns(target: Target, other: Target, id: string): Promise<Call[]> {
  const calls: Call[] = [];
  for (const each of [target, other, target, other]) calls.push(await each.call("GetTask", { id }));
  const together = [other, target, other, target, target, other].map((each) => each.call("GetTask", { id }));
  return [...calls, ...(await Promise.all(together))];
}

const eachInItsVersion = activeCheck({
  id: "V03-VER-001",
  bindings: ["JSONRPC"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const other = inNewerVersion(target);
    if (other.on.url !== target.on.url || other.on.binding !== target.on.binding)
      return notApplicable("each version has an address of its own");
    const calls = await inTurns(target, other, last.id);
    if (!calls.some((call) => formOf(call) !== undefined && call.on.dialect === "1.0"))
      return notExamined("not-triggered", "the task is not shown in both versions");
    return calls.map(judged).find((finding) => finding !== undefined) ?? holds();
  },
});

function judged(call: Call): Finding | undefined {
  const form = formOf(call);
  const asked = call.on.dialect as Form;
  if (form === undefined || form === asked) return undefined;
  return broken(`a request for ${asked} is answered in the form of ${form} when both are asked in turns`, {
    saw: call.said.is === "result" ? brief(call.said.json) : "",
    want: asked === "1.0" ? "states such as TASK_STATE_COMPLETED" : "states such as completed",
    at: call,
  });
}

const anotherVersion = (target: Target): string => `the task in ${target.on.dialect}`;

const tasksInBoth = activeCheck({
  id: "V03-VER-003",
  uses: { taskAtRest },
  also: { madeInNewerVersion },
  async judge({ taskAtRest: { last }, madeInNewerVersion: made }, target) {
    const other = inNewerVersion(target);
    const ours = await thereFor(other, target, last.id);
    if (ours.is !== "holds" || !made) return ours;
    return thereFor(target, made.other, made.task.id);
  },
});

/** Whether a client of another version finds a task that is there for its maker. */
async function thereFor(reader: Target, maker: Target, id: string): Promise<Finding> {
  const { got, here: again } = await readElsewhere(reader, maker, id);
  if (taskIn(got)) return holds();
  if (!again || !taskIn(again)) return notExamined("unstable", "the task is gone");
  return broken(`a task made in ${maker.on.dialect} is not there in ${reader.on.dialect}`, {
    saw: `${describeReply(got)} in ${reader.on.dialect}, ${anotherVersion(maker)}`,
    want: "the same task",
    at: [got, again],
  });
}

const sameInBoth = activeCheck({
  id: "V03-VER-004",
  uses: { taskAtRest },
  also: { madeInNewerVersion },
  async judge({ taskAtRest: { last }, madeInNewerVersion: made }, target) {
    const other = inNewerVersion(target);
    const ours = await sameFor(other, target, last);
    if (ours.is !== "holds" || !made) return ours;
    return sameFor(target, made.other, made.task);
  },
});

async function sameFor(reader: Target, maker: Target, made: LooseTask): Promise<Finding> {
  const got = await reader.call("GetTask", { id: made.id });
  const [there, here] = [taskIn(got), taskIn(await maker.call("GetTask", { id: made.id }))];
  // Whether it is there at all is for V03-VER-003 to say.
  if (!there || !here) return notExamined("not-triggered", "the task is not shown in both versions");
  const [seen, known] = [comparable(there.json), comparable(here.json)];
  const path = difference("Task", known, seen);
  if (path === undefined) return holds();
  const again = taskIn(await maker.call("GetTask", { id: made.id }));
  if (!again || difference("Task", known, comparable(again.json)) !== undefined)
    return notExamined("unstable", "the task looks different each time it is asked for");
  const code = /\.parts\[\d+\]\.url$/.test(path) ? "address-differs" : "broken";
  return breach(code, `a task made in ${maker.on.dialect} has other content in ${reader.on.dialect}`, {
    saw: `${path} differs`,
    want: "the same id, context, state and artifacts",
    at: got,
  });
}

/**
 * What both versions have words for over every binding, in the words of 1.0. How much of the history is shown without
 * being asked for differs from version to version, as does whether times and metadata are told over HTTP+JSON.
 */
function comparable({ id, contextId, status, artifacts }: JsonObject): JsonObject {
  const { state = null, message } = isObject(status) ? (status as JsonObject) : {};
  return {
    id: id ?? null,
    contextId: contextId ?? null,
    status: { state, ...(isObject(message) && { message: { parts: partsOf(message as JsonObject) } }) },
    artifacts: (Array.isArray(artifacts) ? artifacts : []).filter(isJsonObject).map((artifact) => ({
      artifactId: artifact["artifactId"] ?? null,
      ...(artifact["name"] !== undefined && { name: artifact["name"] }),
      parts: partsOf(artifact),
    })),
  };
}

const isJsonObject = (value: JsonValue): value is JsonObject => isObject(value);

/** Text, data, bytes or address; over HTTP+JSON and gRPC 0.3 lost the names of files, and types of text nowhere had a place. */
const partsOf = (holder: JsonObject): JsonValue[] =>
  (Array.isArray(holder["parts"]) ? holder["parts"] : []).filter(isJsonObject).map(({ text, data, raw, url }) => ({
    ...(text !== undefined && { text }),
    ...(data !== undefined && { data }),
    ...(raw !== undefined && { raw }),
    ...(url !== undefined && { url }),
  }));

/** V03-VER: several versions at one agent */
export const hybridChecks: readonly Check[] = [
  eachInItsVersion,
  meansThisVersion,
  tasksInBoth,
  sameInBoth,
  oneAgentOnBothCards,
];
