import { isInterrupted, isTerminal, type JsonObject, type JsonValue, type TaskState } from "@assay/protocol";
import { type Arrived, bodyJson, type Exchange, type PeerError } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { asObject, asObjects, asText, brief } from "./loose-json.ts";

/**
 * Reads what agents send without validating it, so that a misspelt artifact does not stop a check of cancelling. A
 * value of the wrong type counts as absent; the rules about shape report it.
 */

/** A task, as far as it can be read. */
export interface LooseTask {
  readonly json: JsonObject;
  readonly id: string;
  readonly contextId: string | undefined;
  /** as the agent wrote it */
  readonly state: string | undefined;
  readonly artifacts: readonly JsonObject[];
  readonly history: readonly JsonObject[];
}

export function looseTask(json: unknown): LooseTask | undefined {
  const task = asObject(json);
  const id = asText(task?.["id"]);
  if (!task || id === undefined) return undefined;
  return {
    json: task,
    id,
    contextId: asText(task["contextId"]),
    state: asText(asObject(task["status"])?.["state"]),
    artifacts: asObjects(task["artifacts"]),
    history: asObjects(task["history"]),
  };
}

export const resultOf = ({ reply }: Call): JsonValue | undefined => (reply.is === "result" ? reply.json : undefined);

/** Returns the error of a call; for a stream, the error that it consists of or ended with. */
export function errorOf({ reply }: Call): PeerError | undefined {
  if (reply.is === "error") return reply.error;
  const last = reply.is === "stream" ? reply.events.at(-1) : undefined;
  return last?.is === "error" ? last.error : undefined;
}

/** Recognises a request for credentials, on any binding. */
export const isLogin = (call: Call): boolean =>
  call.exchange.http.response?.status === 401 || errorOf(call)?.grpc?.status === "UNAUTHENTICATED";

/** Recognises an authenticated caller without permission. */
export const isForbidden = (call: Call): boolean =>
  call.exchange.http.response?.status === 403 || errorOf(call)?.grpc?.status === "PERMISSION_DENIED";

/** Returns the task in the response of SendMessage, GetTask or CancelTask. */
export function taskIn(call: Call): LooseTask | undefined {
  const json = resultOf(call);
  if (call.operation === "SendMessage") return looseTask(asObject(json)?.["task"]);
  return looseTask(json);
}

/** Returns every task in a response, one for each event of a stream. A Message that names a task does not count. */
export function tasksIn(call: Call): readonly { readonly id: string; readonly state: string | undefined }[] {
  if (call.reply.is !== "stream") return [taskIn(call) ?? []].flat();
  return eventsOf(call).flatMap(({ is, taskId, state }) =>
    taskId === undefined || is === "message" ? [] : [{ id: taskId, state }],
  );
}

/** Returns the message in the response of SendMessage. */
export const messageIn = (call: Call): JsonObject | undefined => asObject(asObject(resultOf(call))?.["message"]);

/** Returns true if the agent accepted a message: the response is a task or a message. */
export const isAnswered = (call: Call): boolean => taskIn(call) !== undefined || messageIn(call) !== undefined;

/**
 * Returns true if the agent accepted a send that it should refuse: it returned a result, or its stream began. A send
 * that timed out may still be running, so it counts too.
 */
export function isAccepted({ reply, exchange }: Call): boolean {
  switch (reply.is) {
    case "result":
      return true;
    case "stream":
      return reply.events.length === 0 || reply.events[0]!.is === "result";
    case "failure":
      return ["timeout-idle", "timeout-total", "aborted"].includes(reply.failure.code);
    case "error":
    case "malformed":
      // A gateway gave up waiting.
      return [408, 504].includes(exchange.http.response?.status ?? 0);
  }
}

/** One event of a stream, as far as it can be read. */
export interface LooseEvent {
  readonly is: "task" | "message" | "status" | "artifact" | "unknown";
  readonly at: number;
  /** the whole StreamResponse */
  readonly json: JsonValue;
  /** the content of its one member */
  readonly content: JsonObject;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** of a task or a status update */
  readonly state: string | undefined;
}

const members = { task: "task", message: "message", statusUpdate: "status", artifactUpdate: "artifact" } as const;

export function looseEvent(frame: Arrived): LooseEvent | undefined {
  if (frame.is !== "result") return undefined;
  const json = asObject(frame.json) ?? {};
  const member = (Object.keys(members) as (keyof typeof members)[]).find((name) => asObject(json[name]));
  const content = asObject(member && json[member]) ?? {};
  return {
    is: member ? members[member] : "unknown",
    at: frame.at,
    json: frame.json,
    content,
    taskId: asText(content[member === "task" ? "id" : "taskId"]),
    contextId: asText(content["contextId"]),
    state: asText(asObject(content["status"])?.["state"]),
  };
}

/** Returns the events of a stream, without unreadable frames. */
export const eventsOf = ({ reply }: Pick<Call, "reply">): readonly LooseEvent[] =>
  reply.is === "stream" ? reply.events.flatMap((frame) => looseEvent(frame) ?? []) : [];

// An invalid state is neither terminal nor interrupted.
export const isEnded = (state: string | undefined): boolean => state !== undefined && isTerminal(state as TaskState);
export const isWaiting = (state: string | undefined): boolean =>
  state !== undefined && isInterrupted(state as TaskState);
/** Returns true if a task stays in this state until someone acts. */
export const isAtRest = (state: string | undefined): boolean => isEnded(state) || isWaiting(state);

/** Returns a header of a response, in any spelling. Repeated headers are joined to one list. */
export function headerOf({ http }: Exchange, name: string): string | undefined {
  const values = (http.response?.headers ?? []).filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length ? values.map(([, value]) => value).join(", ") : undefined;
}

/** Returns the body of a response, if it is JSON. */
export function jsonBodyOf({ http }: Exchange): JsonValue | undefined {
  try {
    return http.response && bodyJson(http.response.body);
  } catch {
    return undefined;
  }
}

/** Describes a reply in a few words. */
export function describeReply({ reply, exchange }: Call): string {
  switch (reply.is) {
    case "result":
      return `a result: ${brief(reply.json)}`;
    case "error":
      return describeError(reply.error);
    case "stream":
      return `a stream of ${reply.events.length} events${reply.failure ? ` (${reply.failure.message})` : ""}`;
    case "malformed":
      return reply.because;
    case "failure":
      return exchange.failure?.message ?? reply.failure.message;
  }
}

const describeError = (error: PeerError): string => `error ${numberOf(error)} (${brief(error.message, 80)})`;

/** Names an error as its binding writes it, with its reason if there is one: -32001, HTTP 404 TASK_NOT_FOUND. */
export const numberOf = (error: PeerError): string => `${plainNumber(error)}${error.reason ? ` ${error.reason}` : ""}`;

const plainNumber = ({ code, grpc, http }: PeerError): string =>
  `${code ?? (grpc ? (grpc.status ?? `gRPC status ${grpc.code}`) : `HTTP ${http}`)}`;

/** Returns the details of a breach for an unexpected response. */
export const answerOf = (call: Call, want: string) => ({ saw: describeReply(call), want, at: call });

/** Returns the error number of a call without a result, or a word for it. */
export function answerNumber(call: Call): string | undefined {
  const error = errorOf(call);
  if (error) return plainNumber(error);
  if (call.reply.is === "malformed") {
    const status = call.exchange.http.response?.status ?? 0;
    return status >= 400 ? `HTTP ${status}, unreadable` : "unreadable";
  }
  return call.reply.is === "failure" || isBrokenOff(call) ? "none" : undefined;
}

/** Recognises a stream that the agent aborted before the first event. A stream that Assay closed does not count. */
export const isBrokenOff = ({ reply }: Call): boolean =>
  reply.is === "stream" &&
  reply.events.length === 0 &&
  (reply.failure?.code === "closed-early" || reply.failure?.code === "reset");
