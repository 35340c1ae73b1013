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
const views: Partial<Record<ComparedSubject, (task: JsonObject, isNamed: boolean) => JsonObject>> = {
  "id and context": ({ id = null, contextId = null }) => ({ id, contextId }),
  state: ({ status }) => ({ status: { state: objectIn(status)["state"] ?? null } }),
  "status message": ({ status }, isNamed) => {
    const message = objectIn(status)["message"];
    return { status: { ...(isObject(message) && { message: { parts: partsOf(message as JsonObject, isNamed) } }) } };
  },
  artifacts: ({ artifacts }, isNamed) => ({
    artifacts: objectsIn(artifacts).map((artifact) => ({
      artifactId: artifact["artifactId"] ?? null,
      ...filled({ name: artifact["name"], description: artifact["description"] }),
      parts: partsOf(artifact, isNamed),
    })),
  }),
  history: ({ history }, isNamed) => ({
    history: objectsIn(history).map((message) => ({ role: message["role"] ?? null, parts: partsOf(message, isNamed) })),
  }),
};

export const taskSubjects = Object.keys(views) as (keyof typeof views)[];

/**
 * Returns the path of the first difference in one part of a task. Both tasks first take the way through the codec of
 * the older version, so that content which that version cannot express is missing in both.
 */
export function taskDifference(
  subject: ComparedSubject,
  one: LooseTask,
  other: LooseTask,
  older: PeerInterface,
): string | undefined {
  const codec = dialectFor(older.binding, older.dialect)!;
  // The protobuf of 0.3 has names of files only since a patch, which not every agent has.
  const isNamed = older.binding === "JSONRPC";
  const view = (task: JsonObject): JsonObject => views[subject]!(expressible(task, codec), isNamed);
  return difference("Task", view(one.json), view(other.json));
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
const partsOf = (holder: JsonObject, isNamed: boolean): JsonObject[] =>
  objectsIn(holder["parts"]).map(({ text, data, raw, url, filename, mediaType }) => ({
    ...defined({ text, data, raw, url: url === undefined ? undefined : "(address)" }),
    ...filled({
      filename: isNamed ? filename : undefined,
      mediaType: typeof mediaType === "string" ? plainType(mediaType) : mediaType,
    }),
  }));

/** Drops empty texts: ProtoJSON may write them for members that have no value. */
const filled = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value ? [[name, value]] : [])));

/** Removes parameters. A file without a type is read as application/octet-stream. */
function plainType(mediaType: string): string {
  const type = mediaType.split(";")[0]!.trim().toLowerCase();
  return type === "application/octet-stream" ? "" : type;
}
