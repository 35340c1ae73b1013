import { type MessageName, type Operation, operations, versionHeader } from "@assay/protocol";
import type { Talk } from "../talk.ts";
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
const known = new WeakMap<Talk, Shapes>();

export function shapesOf(talk: Talk): Shapes {
  const before = known.get(talk);
  if (before) return before;
  const shapes = read(talk);
  known.set(talk, shapes);
  return shapes;
}

function read(talk: Talk): Shapes {
  const { operation, reply, fair } = talk;
  const message = operation && operations[operation].answer;
  if (!message || !asksForThisVersion(talk)) return nothing;
  const isOurSend = isSend(operation);
  // Whoever takes what is wrong may say it again as it was: that is for those to judge who sent it.
  if (!fair && (isOurSend || operation === "CreateTaskPushNotificationConfig")) return nothing;
  const answers =
    reply.is === "result"
      ? [reply.json]
      : reply.is === "stream"
        ? reply.events.flatMap((frame) => (frame.is === "result" ? [frame.json] : []))
        : [];
  const documents = answers.map((json) => ({ message, json }));
  const read = documents.map(({ json }) => {
    const objects = [...typedObjects(message, json)];
    const isEcho = isOurSend || operation === "CreateTaskPushNotificationConfig";
    const theirs = isEcho ? [] : objects.flatMap(clientsWords);
    const isOwn = ({ path }: { readonly path: string }): boolean => !theirs.some((place) => isWithin(path, place));
    return { objects: objects.filter(isOwn), deviations: deviationsIn(message, json).filter(isOwn) };
  });
  return {
    documents,
    objects: read.flatMap(({ objects }) => objects),
    deviations: read.flatMap(({ deviations }) => deviations),
  };
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

const isWithin = (path: string, place: string): boolean =>
  path.startsWith(place) && /^($|[.[])/.test(path.slice(place.length));

/** Who asks for another version, or for none, may be answered in the forms of another. */
export function asksForThisVersion({ exchange, on }: Talk): boolean {
  const asked = exchange.http.request.headers.filter(([name]) => name.toLowerCase() === versionHeader.toLowerCase());
  return asked.length > 0 && asked.every(([, value]) => value.trim() === on.dialect);
}
