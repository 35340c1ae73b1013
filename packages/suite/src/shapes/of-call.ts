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
import { dialectFor, type Reply } from "@assay/wire";
import { rememberSaid } from "../answers/said.ts";
import type { Call } from "../define/call.ts";
import { type Deviation, deviationsIn } from "./deviations.ts";
import { type Typed, typedObjects } from "./walk.ts";

/** What an agent said in one conversation, as objects of the protocol: its answer, or each event of a stream. */
export interface Shapes {
  readonly documents: readonly { readonly message: MessageName; readonly json: unknown }[];
  readonly objects: readonly Typed[];
  readonly deviations: readonly Deviation[];
}

const nothing: Shapes = { documents: [], objects: [], deviations: [] };

/** Many checks read the same conversation. */
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
  // An agent that takes what is wrong may repeat it: that is for the check to judge that sent it.
  if (!fair && (isOurSend || operation === "CreateTaskPushNotificationConfig")) return nothing;
  const answers = call.on.dialect === "1.0" ? answersIn(call.reply) : olderAnswers(call, operation);
  const documents = answers.map((json) => ({ message, json }));
  const read = documents.map(({ json: whole }) => {
    const json = sampled(operation, whole);
    const objects = [...typedObjects(message, json)];
    const isEcho = isOurSend || operation === "CreateTaskPushNotificationConfig";
    const theirs = new Set(isEcho ? [] : objects.flatMap(clientsWords));
    const isOwn = ({ path }: { readonly path: string }): boolean => !isWithin(path, theirs);
    return { objects: objects.filter(isOwn), deviations: deviationsIn(message, json).filter(isOwn) };
  });
  return {
    documents,
    objects: read.flatMap(({ objects }) => objects),
    deviations: read.flatMap(({ deviations }) => deviations),
  };
}

/** Tasks of one page whose shape is looked at: what is wrong with the form of tasks shows in the first thousand. */
const mostTasks = 1_000;

/** An answer without what comes after the first tasks of an endless page; what it says of the page as a whole stays. */
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

/** What `transliterate` puts into members of 1.0. Cards and lists of older versions have no form in common with theirs. */
const likened: readonly Operation[] = [
  "SendMessage",
  "SendStreamingMessage",
  "SubscribeToTask",
  "GetTask",
  "CancelTask",
];

/** As it was written, and not as a reader mends it on the way: what is missing there is missing here. */
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
 * In the history of a task, and in a push configuration, stands what clients said, some of it wrong, ours included where
 * a check was about just that. Who sends something that is in order, and gets it back, knows how it was; of the rest
 * nobody does.
 */
function clientsWords({ message, path, value }: Typed): string[] {
  if (message === "Message" && /\.history\[\d+\]$/.test(path) && value["role"] !== "ROLE_AGENT") return [path];
  if (message === "TaskPushNotificationConfig")
    return ["url", "token", "authentication"].map((name) => `${path}.${name}`);
  return [];
}

/** Whether one of the places is this one, or around it. Looked up step by step: a list has as many places as tasks. */
function isWithin(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (const { index } of path.matchAll(/[.[]|$/g)) if (places.has(path.slice(0, index))) return true;
  return false;
}

/** A request for another version, or for none, may be answered in the forms of another. Before 1.0 none was named. */
export function asksForThisVersion({ exchange, on }: Call): boolean {
  const asked = exchange.http.request.headers.filter(([name]) => name.toLowerCase() === versionHeader.toLowerCase());
  if (on.dialect !== "1.0" && asked.length === 0) return true;
  return asked.length > 0 && asked.every(([, value]) => value.trim() === on.dialect);
}
