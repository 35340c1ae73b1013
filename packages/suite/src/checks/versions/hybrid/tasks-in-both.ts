import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { describeReply, type LooseTask, taskIn } from "../../../answers/reading.ts";
import { activeCheck } from "../../../define/check.ts";
import { breach, broken, type Finding, holds, notExamined } from "../../../define/finding.ts";
import type { Target } from "../../../define/target.ts";
import { inNewerVersion, madeInNewerVersion } from "../../../observations/both-versions.ts";
import { taskAtRest } from "../../../observations/sent-message.ts";
import { readElsewhere } from "../../../observations/still-there.ts";
import { difference } from "../../../shapes/equivalence.ts";

const anotherVersion = (target: Target): string => `the task in ${target.on.dialect}`;

export const tasksInBoth = activeCheck({
  id: "V03-VER-003",
  title: "a task made in one version is there in the other",
  remedy:
    "Keep tasks in one store behind all versions, so that tasks/get shows what SendMessage made and GetTask what message/send did.",
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

export const sameInBoth = activeCheck({
  id: "V03-VER-004",
  title: "a task has the same content in both versions",
  remedy:
    "Translate the whole task: id, context, state, every artifact and every part; only what the older version has no word for may be missing.",
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
