import { isInterrupted, isTerminal, type JsonObject, type JsonValue, type TaskState } from "@assay/protocol";
import { type Arrived, bodyJson, type Exchange, type PeerError } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { asObject, asObjects, asText, brief } from "./loose-json.ts";

/**
 * Loose reading of what agents send. A check on cancelling must not stumble over a misspelt artifact, so here nothing
 * is validated: what has the wrong type counts as absent, and the rules about shape say so elsewhere.
 */

/** A task as far as it can be made out. */
export interface LooseTask {
  readonly json: JsonObject;
  readonly id: string;
  readonly contextId: string | undefined;
  /** as it was written */
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

/** The result of a call, unless there is none. */
export const resultOf = ({ reply }: Call): JsonValue | undefined => (reply.is === "result" ? reply.json : undefined);

/** The error a call was answered with; of a stream, the one it consists of or ended with. */
export function errorOf({ reply }: Call): PeerError | undefined {
  if (reply.is === "error") return reply.error;
  const last = reply.is === "stream" ? reply.events.at(-1) : undefined;
  return last?.is === "error" ? last.error : undefined;
}

/** Turned away for want of credentials, by whichever binding. */
export const isLogin = (call: Call): boolean =>
  call.exchange.http.response?.status === 401 || errorOf(call)?.grpc?.status === "UNAUTHENTICATED";

/** Known, and not allowed to. */
export const isForbidden = (call: Call): boolean =>
  call.exchange.http.response?.status === 403 || errorOf(call)?.grpc?.status === "PERMISSION_DENIED";

/** The task that a SendMessage was answered with, or that GetTask and CancelTask returned. */
export function taskIn(call: Call): LooseTask | undefined {
  const json = resultOf(call);
  if (call.operation === "SendMessage") return looseTask(asObject(json)?.["task"]);
  return looseTask(json);
}

/** Every task that the answer to a call tells of, each event of a stream for itself. A Message that names a task does not show one. */
export function tasksIn(call: Call): readonly { readonly id: string; readonly state: string | undefined }[] {
  if (call.reply.is !== "stream") return [taskIn(call) ?? []].flat();
  return eventsOf(call).flatMap(({ is, taskId, state }) =>
    taskId === undefined || is === "message" ? [] : [{ id: taskId, state }],
  );
}

/** The message that a SendMessage was answered with. */
export const messageIn = (call: Call): JsonObject | undefined => asObject(asObject(resultOf(call))?.["message"]);

/** Whether a message was taken: answered with a task, or with a message. */
export const isAnswered = (call: Call): boolean => taskIn(call) !== undefined || messageIn(call) !== undefined;

/**
 * Whether a send that should be refused was taken for good: it has a result, or its stream began. One that was not
 * answered in time may well be at work.
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

/** One event of a stream, as far as it can be made out. */
export interface LooseEvent {
  readonly is: "task" | "message" | "status" | "artifact" | "unknown";
  readonly at: number;
  /** the whole StreamResponse */
  readonly json: JsonValue;
  /** what it holds under its one member */
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

/** The events of a stream; frames that are none are left out. */
export const eventsOf = ({ reply }: Call): readonly LooseEvent[] =>
  reply.is === "stream" ? reply.events.flatMap((frame) => looseEvent(frame) ?? []) : [];

// What an agent writes as a state may be none; then it is neither terminal nor interrupted.
export const isEnded = (state: string | undefined): boolean => state !== undefined && isTerminal(state as TaskState);
export const isWaiting = (state: string | undefined): boolean =>
  state !== undefined && isInterrupted(state as TaskState);
/** Nothing more happens by itself. */
export const isAtRest = (state: string | undefined): boolean => isEnded(state) || isWaiting(state);

/** A field of an answer's head, by whichever spelling; several of the name count as one list. */
export function headerOf({ http }: Exchange, name: string): string | undefined {
  const values = (http.response?.headers ?? []).filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length ? values.map(([, value]) => value).join(", ") : undefined;
}

/** The body of an answer, where it is JSON. */
export function jsonBodyOf({ http }: Exchange): JsonValue | undefined {
  try {
    return http.response && bodyJson(http.response.body);
  } catch {
    return undefined;
  }
}

/** What a reply was, in a few words. */
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

/** An error by what its binding writes for it, and by its reason where it has one: -32001, HTTP 404 TASK_NOT_FOUND. */
export const numberOf = (error: PeerError): string => `${plainNumber(error)}${error.reason ? ` ${error.reason}` : ""}`;

const plainNumber = ({ code, grpc, http }: PeerError): string =>
  `${code ?? (grpc ? (grpc.status ?? `gRPC status ${grpc.code}`) : `HTTP ${http}`)}`;

/** A call that was answered in another way than the rule wants: the details of the breach. */
export const answerOf = (call: Call, want: string) => ({ saw: describeReply(call), want, at: call });

/** How a call was answered, where it was with no result: the number of the error, or a word of ours. */
export function answerNumber(call: Call): string | undefined {
  const error = errorOf(call);
  if (error) return plainNumber(error);
  if (call.reply.is === "malformed") {
    const status = call.exchange.http.response?.status ?? 0;
    return status >= 400 ? `HTTP ${status}, unreadable` : "unreadable";
  }
  return call.reply.is === "failure" || isBrokenOff(call) ? "none" : undefined;
}

/** A stream that the peer began and broke off before there was anything in it. What we end ourselves is another matter. */
export const isBrokenOff = ({ reply }: Call): boolean =>
  reply.is === "stream" &&
  reply.events.length === 0 &&
  (reply.failure?.code === "closed-early" || reply.failure?.code === "reset");
