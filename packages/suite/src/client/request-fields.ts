import type { JsonObject } from "@assay/protocol";
import { asList, asObject, asObjects, asText } from "../answers/loose-json.ts";
import { looseTask } from "../answers/reading.ts";
import type { ClientCall, ClientRequest } from "./client-request.ts";
import { callsOf } from "./client-request.ts";

/** Returns the header fields of a call, over gRPC its metadata, one entry per line. */
export const fieldsNamed = ({ exchange }: Pick<ClientCall, "exchange">, name: string): readonly string[] =>
  exchange.http.request.headers
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value.trim());

/** Returns the media type of a call without its parameters, or "". */
export const mediaTypeOf = (call: Pick<ClientCall, "exchange">): string =>
  (fieldsNamed(call, "content-type")[0] ?? "").split(";", 1)[0]!.trim().toLowerCase();

/** Returns the name of a call: "SendMessage", or the method that the client used instead. */
export const callName = ({ operation, method }: ClientCall): string => operation ?? `"${method.slice(0, 60)}"`;

export const isSend = ({ operation }: ClientCall): boolean =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

/** Returns the message of a call in terms of 1.0. */
export const messageOf = (call: ClientCall): JsonObject | undefined =>
  isSend(call) ? asObject((call.params ?? call.written)?.["message"]) : undefined;

/** The ids in the agent's responses to the client so far. */
export interface ToldIds {
  readonly tasks: ReadonlySet<string>;
  readonly contexts: ReadonlySet<string>;
  /** the context of each task */
  readonly contextOf: ReadonlyMap<string, string>;
  readonly pageTokens: ReadonlySet<string>;
}

/** Collects the ids in all responses that a client received. */
export function toldBy(requests: readonly ClientRequest[]): ToldIds {
  const told = {
    tasks: new Set<string>(),
    contexts: new Set<string>(),
    contextOf: new Map<string, string>(),
    pageTokens: new Set<string>(),
  };
  const learn = (task: string | undefined, context: string | undefined): void => {
    if (task) told.tasks.add(task);
    if (context) told.contexts.add(context);
    if (task && context) told.contextOf.set(task, context);
  };
  for (const { reply } of callsOf(requests)) {
    const answers =
      reply.is === "result"
        ? [reply.json]
        : reply.is === "stream"
          ? reply.events.flatMap((event) => (event.is === "result" ? [event.json] : []))
          : [];
    for (const answer of asObjects(answers)) {
      const tasks = [answer, asObject(answer["task"]), ...asList(answer["tasks"])].flatMap(
        (json) => looseTask(json) ?? [],
      );
      for (const { id, contextId } of tasks) learn(id, contextId);
      for (const member of ["message", "statusUpdate", "artifactUpdate"]) {
        const event = asObject(answer[member]);
        learn(asText(event?.["taskId"]), asText(event?.["contextId"]));
      }
      const token = asText(answer["nextPageToken"]);
      if (token) told.pageTokens.add(token);
    }
  }
  return told;
}
