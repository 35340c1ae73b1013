import {
  isObject,
  type JsonObject,
  type JsonValue,
  type MessageName,
  type OlderWire,
  type Operation,
  operations,
  transliterate,
  versionHeader,
} from "@assay/protocol";
import { dialectFor, namedVersion, type Reply } from "@assay/wire";
import { rememberSaid } from "../answers/said.ts";
import type { Call } from "../define/call.ts";
import { type Deviation, deviationsIn, deviationsOf } from "./deviations.ts";
import { type Typed, typedObjects } from "./walk.ts";

/** The data that an agent sent in one conversation, as protocol objects: its response, or each event of a stream. */
export interface Shapes {
  readonly documents: readonly { readonly message: MessageName; readonly json: unknown }[];
  readonly objects: readonly Typed[];
  readonly deviations: readonly Deviation[];
}

const nothing: Shapes = { documents: [], objects: [], deviations: [] };

/** Caches the result, because many checks read the same conversation. */
const known = new WeakMap<Call, Shapes>();

export function shapesOf(call: Call): Shapes {
  const before = known.get(call);
  if (before) return before;
  const shapes = read(call);
  known.set(call, shapes);
  return shapes;
}

function read(call: Call): Shapes {
  const { operation, fair } = call;
  const message = operation && operations[operation].answer;
  if (!message || !asksForThisVersion(call)) return nothing;
  const isOurSend = isSend(operation);
  // An agent may echo invalid data; the check that sent it judges that.
  if (!fair && (isOurSend || operation === "CreateTaskPushNotificationConfig")) return nothing;
  const answers = call.on.dialect === "1.0" ? answersIn(call.reply) : olderAnswers(call, operation);
  const documents = answers.map((json) => ({ message, json }));
  const read = documents.map(({ json: whole }) => {
    const json = sampled(operation, whole);
    const objects = typedObjects(message, json);
    // The objects are walked once: a task may have tens of thousands.
    const deviations = isObject(json) ? objects.flatMap(deviationsOf) : deviationsIn(message, json);
    const isEcho = isOurSend || operation === "CreateTaskPushNotificationConfig";
    const theirs = new Set(isEcho ? [] : objects.flatMap(clientsWords));
    const isOwn = ({ path }: { readonly path: string }): boolean => !isWithin(path, theirs);
    return { objects: objects.filter(isOwn), deviations: deviations.filter(isOwn) };
  });
  return {
    documents,
    objects: read.flatMap(({ objects }) => objects),
    deviations: read.flatMap(({ deviations }) => deviations),
  };
}

/** Limits how many tasks of a page are examined. Faults in the form of tasks show in the first thousand. */
const mostTasks = 1_000;

/** Drops tasks after the first ones of a huge page; data about the page as a whole stays. */
function sampled(operation: Operation, json: unknown): unknown {
  const tasks = operation === "ListTasks" && isObject(json) ? json["tasks"] : undefined;
  return Array.isArray(tasks) && tasks.length > mostTasks
    ? { ...(json as JsonObject), tasks: tasks.slice(0, mostTasks) }
    : json;
}

const answersIn = (reply: Reply): readonly JsonValue[] =>
  reply.is === "result"
    ? [reply.json]
    : reply.is === "stream"
      ? reply.events.flatMap((frame) => (frame.is === "result" ? [frame.json] : []))
      : [];

/** Operations that `transliterate` rewrites to 1.0. Cards and lists of older versions have other forms. */
const likened: readonly Operation[] = [
  "SendMessage",
  "SendStreamingMessage",
  "SubscribeToTask",
  "GetTask",
  "CancelTask",
];

/** Returns the data as written, without the corrections of a reader, so that what is missing stays missing. */
function olderAnswers({ said, on }: Call, operation: Operation): readonly JsonValue[] {
  const dialect = dialectFor(on.binding, on.dialect);
  if (!dialect || !likened.includes(operation)) return [];
  return answersIn(said).map((json) => {
    const meant = transliterate(dialect.wire as OlderWire, operation, json);
    rememberSaid(meant, json);
    return meant;
  });
}

const isSend = (operation: Operation): boolean => operation === "SendMessage" || operation === "SendStreamingMessage";

/**
 * Finds data of clients: the history of a task and push configurations may contain invalid data, some of it from
 * Assay's own checks. Valid data that Assay sent and got back can be judged; the origin of other client data is
 * unknown, so it is skipped.
 */
function clientsWords({ message, path, value }: Typed): string[] {
  if (message === "Message" && /\.history\[\d+\]$/.test(path) && value["role"] !== "ROLE_AGENT") return [path];
  if (message === "TaskPushNotificationConfig")
    return ["url", "token", "authentication"].map((name) => `${path}.${name}`);
  return [];
}

/**
 * Returns true if a path is at or below one of the places. Compares step by step, because a list has as many places as
 * tasks.
 */
function isWithin(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (const { index } of path.matchAll(/[.[]|$/g)) if (places.has(path.slice(0, index))) return true;
  return false;
}

const versionsAsked = ({ exchange }: Call): string[] =>
  exchange.http.request.headers.flatMap(([name, value]) =>
    name.toLowerCase() === versionHeader.toLowerCase() ? [value.trim()] : [],
  );

/** Recognises a 1.0 call without a version in its header: §3.6.2 reads it as 0.3, so the response may have that form. */
export const meansOldest = (call: Call): boolean =>
  call.on.dialect === "1.0" && versionsAsked(call).every((version) => version === "");

/**
 * A request for another version, or for none, may get a response in another format. Before 1.0, requests named no
 * version.
 */
export function asksForThisVersion(call: Call): boolean {
  const asked = versionsAsked(call);
  if (call.on.dialect !== "1.0" && asked.length === 0) return true;
  return asked.length > 0 && asked.every((version) => version === namedVersion(call.on));
}
