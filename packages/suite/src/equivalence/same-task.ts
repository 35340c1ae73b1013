import {
  type Dialect,
  defined,
  isObject,
  type JsonObject,
  type JsonValue,
  startExchange,
  type Task,
} from "@assay/protocol";
import { dialectFor, type PeerInterface } from "@assay/wire";
import type { LooseTask } from "../answers/reading.ts";
import type { ComparedSubject } from "../report/events.ts";
import { difference } from "../shapes/equivalence.ts";

/** Parts of a task that two versions must agree on, each as an object of the 1.0 model. */
const views: Partial<Record<ComparedSubject, (task: JsonObject) => JsonObject>> = {
  "id and context": ({ id = null, contextId = null }) => ({ id, contextId }),
  state: ({ status }) => ({ status: { state: objectIn(status)["state"] ?? null } }),
  "status message": ({ status }) => {
    const message = objectIn(status)["message"];
    return { status: { ...(isObject(message) && { message: { parts: partsOf(message as JsonObject) } }) } };
  },
  artifacts: ({ artifacts }) => ({
    artifacts: objectsIn(artifacts).map((artifact) => ({
      artifactId: artifact["artifactId"] ?? null,
      ...(artifact["name"] !== undefined && { name: artifact["name"] }),
      parts: partsOf(artifact),
    })),
  }),
  history: ({ history }) => ({
    history: objectsIn(history).map((message) => ({ role: message["role"] ?? null, parts: partsOf(message) })),
  }),
};

export const taskSubjects = Object.keys(views) as (keyof typeof views)[];

/**
 * Returns the path of the first difference in one part of a task. Both tasks first take the way through the codec of the
 * older version, so that content which that version cannot express is missing in both.
 */
export function taskDifference(
  subject: ComparedSubject,
  one: LooseTask,
  other: LooseTask,
  older: PeerInterface,
): string | undefined {
  const codec = dialectFor(older.binding, older.dialect)!;
  const view = views[subject]!;
  return difference("Task", view(expressible(one.json, codec)), view(expressible(other.json, codec)));
}

/** Removes what the older version cannot express. A task that is too odd to translate stays as it is. */
function expressible(task: JsonObject, codec: Dialect): JsonObject {
  try {
    const written = codec.writeAnswer("GetTask", task as unknown as Task, startExchange());
    return (codec.readAnswer("GetTask", written, startExchange()).value as unknown as JsonObject | undefined) ?? task;
  } catch {
    return task;
  }
}

const objectIn = (json: JsonValue | undefined): JsonObject => (isObject(json) ? (json as JsonObject) : {});
const objectsIn = (json: JsonValue | undefined): JsonObject[] =>
  (Array.isArray(json) ? json : []).filter((item): item is JsonObject => isObject(item));

/** Addresses of files may be signed for each request, so only their presence counts. */
const partsOf = (holder: JsonObject): JsonObject[] =>
  objectsIn(holder["parts"]).map(({ text, data, raw, url }) =>
    defined({ text, data, raw, url: url === undefined ? undefined : "(address)" }),
  );
