import { defined, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, type LooseTask, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { cardDifference } from "../../equivalence/same-card.ts";
import { bothCards, inNewerVersion, madeInNewerVersion } from "../../observations/both-versions.ts";
import { withVersion } from "../../observations/other-version.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { readElsewhere } from "../../observations/until-seen.ts";
import { difference } from "../../shapes/equivalence.ts";

const spellings = [
  { version: "", what: "an empty A2A-Version" },
  { version: "0.3", what: "A2A-Version 0.3" },
] as const;

export const meansThisVersion = activeCheck("V03-VER-002", {
  // The 0.3 gRPC service has its own name, so requests need no version.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    // 1.0 introduced the header; an agent that speaks only older versions need not know it.
    inNewerVersion(target);
    const control = await target.call("GetTask", { id: last.id });
    if (!taskIn(control)) return notExamined("unstable", "the task no longer exists");
    for (const { version, what } of spellings) {
      const call = await target.call("GetTask", { id: last.id }, { edit: withVersion(version) });
      if (taskIn(call)?.state === taskIn(control)?.state) continue;
      const details = answerOf(call, "the same response as without the header");
      if (call.reply.is === "failure" || (isInternal(call) && call.exchange.http.response?.status === 500))
        return crashed(`a 0.3 request with ${what} causes an internal error or no response`, details);
      return broken(`the agent does not handle a 0.3 request with ${what} as 0.3`, details);
    }
    return holds();
  },
});

export const oneAgentOnBothCards = activeCheck("V03-VER-005", {
  once: true,
  uses: { bothCards },
  judge({ bothCards: { newer, older } }) {
    const differs = cardDifference(older.json, newer.json);
    if (!differs) return holds();
    return broken(`${differs.member} differs between the card for 0.3 and the one for 1.0`, {
      saw: `${differs.older} in 0.3; ${differs.newer} in 1.0`,
      want: "the same value",
      at: [older.exchange, newer.exchange],
    });
  },
});

/** Before 1.0, states were lower-case words, and objects had a `kind` instead of a wrapper. */
type Form = "0.3" | "1.0";

function formOf({ said }: Call): Form | undefined {
  const task = said.is === "result" ? asObject(said.json) : undefined;
  const state = asText(asObject(task?.["status"])?.["state"]);
  if (state === undefined) return undefined;
  return state.startsWith("TASK_STATE_") ? "1.0" : "0.3";
}

/**
 * Makes the calls one after the other, then all at once. Both ways find an agent that keeps the version of another
 * request.
 */
async function inTurns(target: Target, other: Target, id: string): Promise<Call[]> {
  const calls: Call[] = [];
  for (const each of [target, other, target, other]) calls.push(await each.call("GetTask", { id }));
  const together = [other, target, other, target, target, other].map((each) => each.call("GetTask", { id }));
  return [...calls, ...(await Promise.all(together))];
}

export const eachInItsVersion = activeCheck("V03-VER-001", {
  bindings: ["JSONRPC"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const other = inNewerVersion(target);
    if (other.on.url !== target.on.url || other.on.binding !== target.on.binding)
      return notApplicable("each version has its own address");
    const calls = await inTurns(target, other, last.id);
    if (!calls.some((call) => formOf(call) !== undefined && call.on.dialect === "1.0"))
      return notExamined("not-triggered", "the agent does not return the task in both versions");
    return calls.map(judged).find((finding) => finding !== undefined) ?? holds();
  },
});

function judged(call: Call): Finding | undefined {
  const form = formOf(call);
  const asked = call.on.dialect as Form;
  if (form === undefined || form === asked) return undefined;
  return broken(`a ${asked} request gets a response in the form of ${form} when requests of both versions alternate`, {
    saw: call.said.is === "result" ? brief(call.said.json) : "",
    want: asked === "1.0" ? "states such as TASK_STATE_COMPLETED" : "states such as completed",
    at: call,
  });
}

const anotherVersion = (target: Target): string => `the task in ${target.on.dialect}`;

export const tasksInBoth = activeCheck("V03-VER-003", {
  uses: { taskAtRest },
  also: { madeInNewerVersion },
  async judge({ taskAtRest: { last }, madeInNewerVersion: made }, target) {
    const other = inNewerVersion(target);
    const ours = await thereFor(other, target, last.id);
    if (ours.is !== "holds" || !made) return ours;
    return thereFor(target, made.other, made.task.id);
  },
});

/** Checks that a client of another version finds a task that its creator still finds. */
async function thereFor(reader: Target, maker: Target, id: string): Promise<Finding> {
  const { got, here: again } = await readElsewhere(reader, maker, id);
  if (taskIn(got)) return holds();
  if (!again || !taskIn(again)) return notExamined("unstable", "the task no longer exists");
  return broken(`a task created in ${maker.on.dialect} does not exist in ${reader.on.dialect}`, {
    saw: `${describeReply(got)} in ${reader.on.dialect}; ${anotherVersion(maker)}`,
    want: "the same task",
    at: [got, again],
  });
}

export const sameInBoth = activeCheck("V03-VER-004", {
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
  // V03-VER-003 judges if the task exists at all.
  if (!there || !here) return notExamined("not-triggered", "the agent does not return the task in both versions");
  const [seen, known] = [comparable(there.json), comparable(here.json)];
  const path = difference("Task", known, seen);
  if (path === undefined) return holds();
  const again = taskIn(await maker.call("GetTask", { id: made.id }));
  if (!again || difference("Task", known, comparable(again.json)) !== undefined)
    return notExamined("unstable", "GetTask returns different data on each read");
  const code = /\.parts\[\d+\]\.url$/.test(path) ? "address-differs" : "broken";
  return breach(code, `a task created in ${maker.on.dialect} has different content in ${reader.on.dialect}`, {
    saw: `${path} differs`,
    want: "the same id, context, state and artifacts",
    at: got,
  });
}

/**
 * Returns the members that both versions have over every binding, in the form of 1.0. The default length of the history
 * differs between versions, and so do times and metadata over HTTP+JSON.
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

/**
 * Returns text, data, bytes or address. In 0.3, HTTP+JSON and gRPC have no file names, and text never has a media type.
 */
const partsOf = (holder: JsonObject): JsonValue[] =>
  (Array.isArray(holder["parts"]) ? holder["parts"] : []).filter(isJsonObject).map(({ text, data, raw, url }) => ({
    ...defined({ text, data, raw, url }),
  }));
