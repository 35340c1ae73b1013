import {
  A2AError,
  type AnswerOf,
  type Dialect,
  type DialectExchange,
  type ErrorName,
  errorTable,
  isA2ACode,
  isObject,
  isStreaming,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type OlderWire,
  type Operation,
  type RequestOf,
  readLooseAnswer,
  readRestErrorV03,
  startExchange,
  type TaskState,
  transliterate,
  v10,
  writeRestError,
  writeRestRequest,
} from "@assay/protocol";
import type { ConformanceReport } from "@assay/suite/report";
import { dialectFor } from "@assay/wire";
import { newCard } from "../card/new-card.ts";
import type { RecordedCall } from "./read-exchange.ts";

/** A message on the wire, as the plan shows it. */
export interface WireMessage {
  /** "POST /v1/message:send" or "HTTP 200" */
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: JsonValue;
  readonly events?: readonly JsonValue[];
}

/** A call as recorded, and the same call in 1.0. */
export interface TranslatedCall {
  readonly call: RecordedCall;
  readonly request: { readonly today: WireMessage; readonly next: WireMessage };
  readonly response: { readonly today: WireMessage; readonly next: WireMessage };
  /** the error of the response, as 1.0 names it */
  readonly error?: A2AError;
  /** the request names a task that has ended */
  readonly isForEndedTask: boolean;
  /** places at which the response breaks its own version, which no translation repairs */
  readonly faults: readonly string[];
}

/**
 * Translates calls in their order. Requests that break the version are left out: they provoke errors on purpose. With
 * the capabilities of an agent, a refusal gets the error that 1.0 names for its reason.
 */
export function translateAll(calls: readonly RecordedCall[], capabilities?: Capabilities): TranslatedCall[] {
  const store = new SeenStore(calls);
  return calls.flatMap((call) => translate(call, store, capabilities) ?? []);
}

type Capabilities = NonNullable<ConformanceReport["capabilities"]>;

/** Returns the error of 1.0 for an operation that the card does not declare. Older versions name none. */
function undeclaredError(
  operation: Operation,
  { streaming, pushNotifications, extendedAgentCard }: Capabilities,
): ErrorName | undefined {
  if (operation.includes("PushNotificationConfig"))
    return pushNotifications ? undefined : "PushNotificationNotSupported";
  if (operation === "GetExtendedAgentCard") return extendedAgentCard ? undefined : "UnsupportedOperation";
  return isStreaming(operation) && !streaming ? "UnsupportedOperation" : undefined;
}

function translate(
  call: RecordedCall,
  store: SeenStore,
  capabilities: Capabilities | undefined,
): TranslatedCall | undefined {
  const dialect = dialectFor(call.binding, call.dialect);
  if (!dialect) return undefined;
  const exchange = startExchange();
  const read = dialect.readRequest(call.operation, call.request.params, exchange);
  if (!read.value) return undefined;
  const isForEndedTask = store.hasEnded(read.value);
  const refusal: Refusal = {
    isEnded: isForEndedTask && ("message" in read.value || call.operation === "SubscribeToTask"),
    hasUnknownType: hasUnknownType(read.value),
    ...(capabilities && {
      undeclared: undeclaredError(call.operation, capabilities),
      missing: store.missing(call.operation, read.value),
    }),
  };
  const answer = new Answer(dialect, call, exchange, refusal).written();
  // In 1.0, an agent that accepts an invalid URL should reject it.
  if (!answer || (!answer.error && hasInvalidUrl(read.value))) return undefined;
  if (!answer.error) store.see(call.operation, read.value, answer.response.next);
  const isNew = call.dialect === "0.1" && store.begins(read.value);
  const value = isNew ? withoutTask(read.value) : withConfigOf(call, read.value, answer.response.next);
  return { call, request: requestIn(call, value), isForEndedTask, ...answer };
}

/** Returns true for a message that Assay sends to provoke an error about a media type. */
const hasUnknownType = (request: RequestOf<Operation>): boolean =>
  "message" in request && request.message.parts.some(({ mediaType }) => mediaType === "application/x-a2a-unknown");

/** Returns true for a push configuration that Assay sends to provoke an error about its URL. */
const hasInvalidUrl = (request: RequestOf<Operation>): boolean => "url" in request && !URL.canParse(request.url);

/** Names the configuration that the agent returned, if the request names none. In 1.0 it must. */
function withConfigOf(call: RecordedCall, request: RequestOf<Operation>, next: WireMessage): RequestOf<Operation> {
  const { pushNotificationConfigId, name } = call.request.params;
  if (call.operation !== "GetTaskPushNotificationConfig" || pushNotificationConfigId || name) return request;
  const id = resultsOf(next)[0]?.["id"];
  return typeof id === "string" ? ({ ...request, id } as RequestOf<Operation>) : request;
}

/** Removes the id of a task that a client of 0.1 begins: in 1.0 the agent chooses it. */
const withoutTask = (request: RequestOf<Operation>): RequestOf<Operation> => {
  if (!("message" in request)) return request;
  const { taskId: _, ...message } = request.message;
  return { ...request, message };
};

function requestIn(call: RecordedCall, value: RequestOf<Operation>): TranslatedCall["request"] {
  const { binding, operation, request } = call;
  const params = withoutAddedId(call, v10.writeRequest(operation, value) as JsonObject);
  const { verb, path, base, body, extensions, contentType } = request;
  const named = (header: string): [string, string][] => (extensions === undefined ? [] : [[header, extensions]]);
  const typed = (type: string | undefined): [string, string][] => (type === undefined ? [] : [["Content-Type", type]]);
  const today: WireMessage = {
    line: `${verb} ${path}`,
    headers: [...typed(contentType), ...named("X-A2A-Extensions")],
    ...(body !== undefined && { body }),
  };
  const version = ["A2A-Version", "1.0"] as const;
  if (binding === "JSONRPC")
    return {
      today,
      next: {
        line: today.line,
        headers: [...typed(contentType), version, ...named("A2A-Extensions")],
        body: { ...(body as JsonObject), method: operation, params },
      },
    };
  if (binding === "GRPC")
    return {
      today: { ...today, line: path.slice(1) },
      next: {
        line: `lf.a2a.v1.A2AService/${operation}`,
        headers: [version, ...named("A2A-Extensions")],
        body: params,
      },
    };
  const rest = writeRestRequest(operation, params);
  // 1.0 allows GET and POST (AMB-04), so the request keeps its method.
  const isGet = operation === "SubscribeToTask" && verb === "GET";
  const restBody = isGet ? undefined : rest.body;
  return {
    today,
    next: {
      line: `${isGet ? verb : rest.verb} ${base}${rest.target}`,
      headers: [...typed(restBody && "application/a2a+json"), version, ...named("A2A-Extensions")],
      ...(restBody && { body: restBody }),
    },
  };
}

/** Removes the id of a new push configuration if the client sent none: in 1.0 the agent chooses it. */
function withoutAddedId({ operation, request }: RecordedCall, params: JsonObject): JsonObject {
  const config = request.params["pushNotificationConfig"];
  if (operation !== "CreateTaskPushNotificationConfig" || !isObject(config) || "id" in config) return params;
  const { id: _, ...rest } = params;
  return rest;
}

/** Reasons for a refusal for which 1.0 names the error. Older versions, or agents that break them, name others. */
interface Refusal {
  /** the operation needs a capability that the card does not declare */
  readonly undeclared?: ErrorName | undefined;
  /** the message or the subscription is for a task that has ended */
  readonly isEnded: boolean;
  /** the message has a part of the media type that Assay makes up */
  readonly hasUnknownType: boolean;
  /** the request names a task or a push configuration that does not exist */
  readonly missing?: "task" | "config" | undefined;
}

/** Errors of an agent that lacks an operation of 1.0, or that failed: there is no response to translate. */
const untold: readonly ErrorName[] = ["Internal", "MethodNotFound", "MethodNotAllowed"];

/** Errors that say nothing about the request, or something wrong about a task that does not exist. */
const unspecific: readonly ErrorName[] = [
  ...untold,
  "InvalidAgentResponse",
  "TaskNotCancelable",
  "UnsupportedOperation",
];

/** Errors that agents return for a part of an unsupported media type. */
const ofContent: readonly ErrorName[] = ["InvalidParams", "InvalidRequest", "UnsupportedOperation"];

/** Errors about the caller. They come before any other in every version. */
const ofCaller: readonly ErrorName[] = ["Unauthenticated", "PermissionDenied"];

export const isOfCaller = ({ kind }: A2AError): boolean => ofCaller.includes(kind);

/** Returns the error with its details if it is of this kind, or one of this kind with its message. */
const as = (kind: ErrorName, failure: A2AError): A2AError =>
  failure.kind === kind ? failure : new A2AError(kind, failure.message);

/** Several errors share a status over gRPC. Only a refused cancel shows which one is meant. */
function kindOfStatus(status: string, operation: Operation): ErrorName {
  if (operation === "CancelTask" && (status === "FAILED_PRECONDITION" || status === "UNIMPLEMENTED"))
    return "TaskNotCancelable";
  switch (status) {
    case "NOT_FOUND":
      return "TaskNotFound";
    case "INVALID_ARGUMENT":
      return "InvalidParams";
    case "FAILED_PRECONDITION":
      return "UnsupportedOperation";
    case "UNIMPLEMENTED":
      return "MethodNotFound";
    case "UNAUTHENTICATED":
      return "Unauthenticated";
    case "PERMISSION_DENIED":
      return "PermissionDenied";
    default:
      return "Internal";
  }
}

type Written = Pick<TranslatedCall, "response" | "error" | "faults">;

/** Reads a response with the codec of its version and writes it with the one of 1.0. */
class Answer {
  readonly #dialect: Dialect;
  readonly #call: RecordedCall;
  readonly #exchange: DialectExchange;
  readonly #refusal: Refusal;
  readonly #faults: string[] = [];

  constructor(dialect: Dialect, call: RecordedCall, exchange: DialectExchange, refusal: Refusal) {
    this.#dialect = dialect;
    this.#call = call;
    this.#exchange = exchange;
    this.#refusal = refusal;
  }

  written(): Written | undefined {
    const { binding, operation, response } = this.#call;
    const today = messageOf(response, binding);
    const failure = this.#failure();
    const error = this.#meant(failure);
    if (error && untold.includes(error.kind)) return undefined;
    if (error) return this.#refused(today, error);
    if (failure) return this.#accepted(today, {});
    if (response.events?.length === 0) return undefined;
    if (response.events) {
      const next = { ...today, events: response.events.flatMap((event) => this.#event(event)) };
      return operation === "SubscribeToTask" && beginsEnded(next)
        ? this.#refused(today, new A2AError("UnsupportedOperation", "The task has ended"))
        : this.#done(today, next);
    }
    if (response.status >= 300 && binding === "HTTP+JSON") return undefined;
    if (response.body === undefined) return response.status < 300 ? this.#done(today, today) : undefined;
    if (binding !== "JSONRPC") return this.#accepted(today, this.#value(response.body));
    const { answer } = readLooseAnswer(response.body, this.#id());
    return answer && this.#accepted(today, this.#value("result" in answer ? answer.result : null));
  }

  /** Reads the error of the response. A refused stream may consist of its error. */
  #failure(): A2AError | undefined {
    const { binding, response } = this.#call;
    const { status, body, events = [], grpcStatus } = response;
    if (binding === "GRPC") return grpcStatus === undefined ? undefined : this.#grpcError(grpcStatus, body);
    if (binding === "HTTP+JSON")
      return status >= 300 && body !== undefined ? readRestErrorV03(status, body) : undefined;
    const json = body ?? (events.length === 1 ? events[0] : undefined);
    if (binding !== "JSONRPC" || !isObject(json)) return undefined;
    const { answer } = readLooseAnswer(json, this.#id());
    return answer && "failure" in answer && answer.failure ? this.#dialect.readError(answer.failure) : undefined;
  }

  /** Reads an error over gRPC from its reason, from the name that SDKs of 0.3 write into the message, or from its status. */
  #grpcError(status: string, body: JsonValue | undefined): A2AError {
    const { message, details } = body as { readonly message: string; readonly details?: JsonValue[] };
    const error = errorTable.Internal.code;
    const told = this.#dialect.readError({ code: error, message, ...(details && { data: details }) });
    if (told.kind !== "Internal") return told;
    const named = (Object.keys(errorTable) as ErrorName[]).find((name) => message.includes(`${name}Error`));
    return new A2AError(named ?? kindOfStatus(status, this.#call.operation), message);
  }

  /** Returns the error that 1.0 names for the reason of the refusal. */
  #meant(failure: A2AError | undefined): A2AError | undefined {
    const { undeclared, isEnded, missing } = this.#refusal;
    if (failure && isOfCaller(failure)) return failure;
    // Over gRPC, every agent of 0.3 returns its card here. In 1.0 only an agent with an extended card does.
    if (!failure && undeclared && this.#call.operation === "GetExtendedAgentCard")
      return new A2AError(undeclared, "The agent has no extended card");
    if (failure && undeclared) return as(undeclared, failure);
    if (failure && isEnded && failure.kind !== "TaskNotFound") return as("UnsupportedOperation", failure);
    if (missing === "task" && (!failure || unspecific.includes(failure.kind)))
      return new A2AError("TaskNotFound", "Task not found");
    if (failure && this.#refusal.hasUnknownType && ofContent.includes(failure.kind))
      return new A2AError("ContentTypeNotSupported", failure.message);
    if (missing === "config" && failure && [...unspecific, "InvalidParams"].includes(failure.kind))
      // A configuration can be deleted twice.
      return this.#call.operation.startsWith("Delete") ? undefined : new A2AError("TaskNotFound", failure.message);
    return failure;
  }

  #refused(today: WireMessage, error: A2AError): Written {
    const { binding } = this.#call;
    const { http, grpc } = error.numbers();
    if (binding !== "JSONRPC") {
      const { error: rest } = JSON.parse(writeRestError(error)) as { readonly error: JsonObject };
      const { details, message, ...numbers } = rest;
      // Only errors of A2A itself need details.
      const failure = { message: message!, ...(isOfA2A(error) && details !== undefined && { details }) };
      // The body stands for the message of the status and for grpc-status-details-bin.
      if (binding === "GRPC")
        return this.#done(today, { line: `grpc-status: ${grpc}`, headers: [], body: failure }, error);
      const headers = [["Content-Type", "application/a2a+json"]] as const;
      return this.#done(today, { line: `HTTP ${http}`, headers, body: { error: { ...numbers, ...failure } } }, error);
    }
    const headers = [["Content-Type", "application/json"]] as const;
    const { code, message, data } = v10.writeError(error);
    const failure: JsonObject = { code, message, ...(isOfA2A(error) && data !== undefined && { data }) };
    const body = { jsonrpc: "2.0", id: this.#id(), error: failure };
    // 1.0 does not say how the error of a stream travels.
    return this.#done(today, today.events ? { ...today, events: [body] } : { line: today.line, headers, body }, error);
  }

  #accepted(today: WireMessage, value: JsonValue): Written {
    const { binding, response } = this.#call;
    const { line } = today;
    if (binding === "GRPC") return this.#done(today, { ...today, body: value });
    const headers = [["Content-Type", binding === "JSONRPC" ? "application/json" : "application/a2a+json"]] as const;
    if (binding === "JSONRPC")
      return this.#done(today, { line, headers, body: { jsonrpc: "2.0", id: this.#id(), result: value } });
    // 1.0 names no status for a success.
    return this.#done(today, { line: response.status < 300 ? line : "HTTP 200", headers, body: value });
  }

  /** The id of the request over JSON-RPC, which the response repeats. */
  #id(): string | number | null {
    const { body } = this.#call.request;
    return isObject(body) ? ((body["id"] ?? null) as string | number | null) : null;
  }

  #value(json: JsonValue): JsonValue {
    const { operation, binding, dialect: version } = this.#call;
    if (this.#call.operation === "GetExtendedAgentCard")
      return (isObject(json) && newCard(json as JsonObject, version)) || json;
    const read = this.#dialect.readAnswer(operation, json, this.#exchange);
    // In protobuf, an empty list and no list are the same.
    if (binding === "GRPC" && isObject(json) && Object.keys(json).length === 0) return json;
    if (read.value !== undefined) return v10.writeAnswer(operation, read.value as AnswerOf<Operation>);
    this.#note(read.violations);
    return transliterate(this.#dialect.wire as OlderWire, operation, json);
  }

  /** Translates one event. Over JSON-RPC, each event is a separate response. 0.1 may pack several events into one. */
  #event(json: JsonValue): JsonValue[] {
    if (this.#call.binding !== "JSONRPC") return this.#events(json);
    if (!isObject(json) || !("result" in json)) return [json];
    const { result, ...envelope } = json as JsonObject;
    return this.#events(result as JsonValue).map((event) => ({ ...envelope, id: this.#id(), result: event }));
  }

  #events(json: JsonValue): JsonValue[] {
    const { value, violations } = this.#dialect.readEvents(json, this.#exchange);
    if (value) return value.flatMap((event) => v10.writeEvents(event));
    this.#note(violations);
    return [transliterate(this.#dialect.wire as OlderWire, this.#call.operation, json)];
  }

  #note(violations: readonly { readonly path: string; readonly message: string }[] = []): void {
    for (const { path, message } of violations) this.#faults.push(`${path} ${message}`);
  }

  #done(today: WireMessage, next: WireMessage, error?: A2AError): Written {
    return { response: { today, next }, faults: [...new Set(this.#faults)], ...(error && { error }) };
  }
}

/** Errors with a code of their own in A2A. */
export const isOfA2A = (error: A2AError): boolean => isA2ACode(error.numbers().code);

/** The tasks and push configurations of an agent, as far as the responses show them. */
class SeenStore {
  /** of all calls, because calls that overlap end in any order */
  readonly #tasks: ReadonlySet<string>;
  readonly #ended = new Set<string>();
  readonly #configs = new Set<string>();
  readonly #begun = new Set<string>();

  constructor(calls: readonly RecordedCall[]) {
    const shown = calls.flatMap(tasksShown);
    // Some agents create a task for an unknown id in a message, and show it from then on.
    const named = new Set(calls.flatMap(taskNamed));
    const isCreated = ({ id, from }: ShownTask): boolean => from !== undefined && taskNamed(from)[0] !== id;
    this.#tasks = new Set(shown.filter((each) => isCreated(each) || !named.has(each.id)).map(({ id }) => id));
  }

  hasEnded(request: RequestOf<Operation>): boolean {
    return this.#ended.has(taskOf(request) ?? "");
  }

  /** Returns true for the first message to a task. */
  begins(request: RequestOf<Operation>): boolean {
    const task = "message" in request ? taskOf(request) : undefined;
    if (task === undefined || this.#begun.has(task)) return false;
    this.#begun.add(task);
    return true;
  }

  missing(operation: Operation, request: RequestOf<Operation>): Refusal["missing"] {
    const task = taskOf(request);
    if (task !== undefined && !this.#tasks.has(task)) return "task";
    const isForConfig =
      operation === "GetTaskPushNotificationConfig" || operation === "DeleteTaskPushNotificationConfig";
    return isForConfig && !this.#configs.has(configKey(task, request as JsonObject)) ? "config" : undefined;
  }

  see(operation: Operation, request: RequestOf<Operation>, next: WireMessage): void {
    for (const id of endedIn(next)) this.#ended.add(id);
    const task = taskOf(request);
    if (operation === "DeleteTaskPushNotificationConfig") this.#configs.delete(configKey(task, request as JsonObject));
    if (operation === "CreateTaskPushNotificationConfig" || operation === "ListTaskPushNotificationConfigs")
      for (const json of resultsOf(next))
        for (const config of Array.isArray(json["configs"]) ? json["configs"] : [json])
          if (isObject(config)) this.#configs.add(configKey(task, config as JsonObject));
  }
}

const configKey = (task: string | undefined, { id }: JsonObject): string => JSON.stringify([task ?? null, id ?? null]);

/** Returns the task that a request names. */
function taskOf(request: RequestOf<Operation>): string | undefined {
  if ("message" in request) return request.message?.taskId;
  if ("taskId" in request) return request.taskId;
  return "id" in request ? request.id : undefined;
}

/** A task in a response, and the call if it is a message. */
interface ShownTask {
  readonly id: string;
  readonly from?: RecordedCall;
}

/** Returns the tasks in a response of any version. */
function tasksShown(call: RecordedCall): ShownTask[] {
  // Some agents store configurations for any id.
  if (call.operation.includes("PushNotificationConfig")) return [];
  return resultsOf(call.response).flatMap((holder) => {
    const content = (holder["task"] ?? holder["statusUpdate"] ?? holder["artifactUpdate"] ?? holder) as JsonObject;
    const id = content["taskId"] ?? content["id"];
    return typeof id === "string" ? [{ id, ...("message" in call.request.params && { from: call }) }] : [];
  });
}

/** Returns the task that a message continues. Only in 0.1 a client chooses the id of a new task. */
function taskNamed({ dialect, request }: RecordedCall): string[] {
  const { message } = request.params as { readonly message?: { readonly taskId?: unknown } };
  return dialect !== "0.1" && typeof message?.taskId === "string" ? [message.taskId] : [];
}

/** Returns the ids of tasks that have ended, in the terms of 1.0. */
export const endedIn = (next: WireMessage): string[] =>
  resultsOf(next).flatMap((holder) => {
    const task = (holder["task"] ?? holder["statusUpdate"] ?? holder) as JsonObject;
    const id = task["id"] ?? task["taskId"];
    const state = isObject(task["status"]) ? task["status"]["state"] : undefined;
    return typeof id === "string" && typeof state === "string" && isTerminal(state as TaskState) ? [id] : [];
  });

/** Returns true for a stream whose first event is a task that has ended. */
function beginsEnded({ events = [] }: WireMessage): boolean {
  const [first] = resultsOf({ events: events.slice(0, 1) });
  return isObject(first?.["task"]) && endedIn({ line: "", headers: [], body: first }).length > 0;
}

/** Returns the results of a response, without their envelope over JSON-RPC. */
export const resultsOf = ({ body, events }: Pick<WireMessage, "body" | "events">): JsonObject[] =>
  [body, ...(events ?? [])].flatMap((json) => {
    const content = isObject(json) && "jsonrpc" in json ? json["result"] : json;
    return isObject(content) ? [content as JsonObject] : [];
  });

const messageOf = (
  { status, contentType, body, events, grpcStatus = "OK" }: RecordedCall["response"],
  binding: RecordedCall["binding"],
): WireMessage => ({
  line: binding === "GRPC" ? `grpc-status: ${grpcStatus}` : `HTTP ${status}`,
  headers: contentType === undefined ? [] : [["Content-Type", contentType]],
  ...(body !== undefined && { body }),
  ...(events && { events }),
});
