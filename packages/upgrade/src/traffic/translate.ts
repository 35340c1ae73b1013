import {
  A2AError,
  type AnswerOf,
  type Dialect,
  type DialectExchange,
  type ErrorName,
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
  /** places at which the response breaks its own version, which no translation repairs */
  readonly faults: readonly string[];
}

/** Translates calls in their order. Requests that break the version are left out: they provoke errors on purpose. */
export function translateAll(calls: readonly RecordedCall[], capabilities?: Capabilities): TranslatedCall[] {
  const ended = new Set<string>();
  return calls.flatMap((call) => {
    const translated = translate(call, ended, capabilities && undeclaredError(call.operation, capabilities));
    for (const id of translated ? endedIn(translated.response.next) : []) ended.add(id);
    return translated ?? [];
  });
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
  ended: ReadonlySet<string>,
  undeclared: ErrorName | undefined,
): TranslatedCall | undefined {
  const dialect = dialectFor(call.binding, call.dialect);
  if (!dialect) return undefined;
  const exchange = startExchange();
  const read = dialect.readRequest(call.operation, call.request.params, exchange);
  if (!read.value) return undefined;
  const isEnded = ended.has(taskOf(call.operation, read.value) ?? "");
  const answer = new Answer(dialect, call, exchange, { undeclared, isEnded }).written();
  if (!answer) return undefined;
  return { call, request: requestIn(call, read.value), ...answer };
}

function requestIn(call: RecordedCall, value: RequestOf<Operation>): TranslatedCall["request"] {
  const { binding, operation, request } = call;
  const params = v10.writeRequest(operation, value) as JsonObject;
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
  const rest = writeRestRequest(operation, params);
  return {
    today,
    next: {
      line: `${rest.verb} ${base}${rest.target}`,
      headers: [...typed(rest.body && "application/a2a+json"), version, ...named("A2A-Extensions")],
      ...(rest.body && { body: rest.body }),
    },
  };
}

/** Refusals for which 1.0 names the error, and older versions do not. */
interface Refusal {
  /** the operation needs a capability that the card does not declare */
  readonly undeclared: ErrorName | undefined;
  /** the message or the subscription is for a task that has ended */
  readonly isEnded: boolean;
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
    const { binding, response } = this.#call;
    const today = messageOf(response);
    if (response.events) {
      const events = response.events.flatMap((event) => this.#event(event));
      return this.#done(today, { ...today, events });
    }
    if (response.body === undefined) return response.status < 300 ? this.#done(today, today) : undefined;
    return binding === "JSONRPC" ? this.#rpc(today, response.body) : this.#rest(today, response.body);
  }

  #rpc(today: WireMessage, body: JsonValue): Written | undefined {
    const { answer } = readLooseAnswer(body, isObject(body) ? ((body["id"] ?? null) as string | number | null) : null);
    if (!answer) return undefined;
    const envelope = { jsonrpc: "2.0", id: answer.id };
    if ("failure" in answer && answer.failure) {
      const error = this.#meant(this.#dialect.readError(answer.failure));
      const { code, message, data } = v10.writeError(error);
      // Only errors of A2A itself need details.
      const failure: JsonObject = { code, message, ...(isOfA2A(error) && data !== undefined && { data }) };
      return this.#done(today, { ...today, body: { ...envelope, error: failure } }, error);
    }
    const result = this.#value("result" in answer ? answer.result : null);
    return this.#done(today, { ...today, body: { ...envelope, result } });
  }

  #rest(today: WireMessage, body: JsonValue): Written | undefined {
    const { status } = this.#call.response;
    const headers = [["Content-Type", "application/a2a+json"]] as const;
    // 1.0 names no status for a success.
    if (status < 300) return this.#done(today, { line: today.line, headers, body: this.#value(body) });
    const read = readRestErrorV03(status, body);
    if (!read) return undefined;
    const error = this.#meant(read);
    const next = { line: `HTTP ${error.numbers().http}`, headers: [["Content-Type", "application/json"]] as const };
    return this.#done(today, { ...next, body: JSON.parse(writeRestError(error)) as JsonValue }, error);
  }

  #meant(error: A2AError): A2AError {
    const { undeclared, isEnded } = this.#refusal;
    if (undeclared) return new A2AError(undeclared, error.message);
    return isEnded && error.kind !== "TaskNotFound" ? new A2AError("UnsupportedOperation", error.message) : error;
  }

  #value(json: JsonValue): JsonValue {
    const { operation, dialect: version } = this.#call;
    if (this.#call.operation === "GetExtendedAgentCard")
      return (isObject(json) && newCard(json as JsonObject, version)) || json;
    const read = this.#dialect.readAnswer(operation, json, this.#exchange);
    if (read.value !== undefined) return v10.writeAnswer(operation, read.value as AnswerOf<Operation>);
    this.#note(read.violations);
    return transliterate(this.#dialect.wire as OlderWire, operation, json);
  }

  /** Over JSON-RPC, each event is a response of its own. 0.1 may pack several events into one. */
  #event(json: JsonValue): JsonValue[] {
    if (this.#call.binding === "HTTP+JSON") return this.#events(json);
    if (!isObject(json) || !("result" in json)) return [json];
    const { result, ...envelope } = json as JsonObject;
    return this.#events(result as JsonValue).map((event) => ({ ...envelope, result: event }));
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

/** Errors with a code of their own, from TaskNotFoundError to VersionNotSupportedError. */
export const isOfA2A = (error: A2AError): boolean => error.numbers().code <= -32001 && error.numbers().code >= -32009;

/** Returns the task that a message or a subscription names. */
function taskOf(operation: Operation, request: RequestOf<Operation>): string | undefined {
  if (operation === "SubscribeToTask" && "id" in request) return request.id;
  return "message" in request ? request.message?.taskId : undefined;
}

/** Returns the ids of tasks that have ended, in the terms of 1.0. */
function endedIn({ body, events }: WireMessage): string[] {
  const results = [body, ...(events ?? [])].map((json) => (isObject(json) && "result" in json ? json["result"] : json));
  return results.flatMap((json) => {
    const holder = isObject(json) ? (json as JsonObject) : {};
    const task = (holder["task"] ?? holder["statusUpdate"] ?? holder) as JsonObject;
    const id = task["id"] ?? task["taskId"];
    const state = isObject(task["status"]) ? task["status"]["state"] : undefined;
    return typeof id === "string" && typeof state === "string" && isTerminal(state as TaskState) ? [id] : [];
  });
}

const messageOf = ({ status, contentType, body, events }: RecordedCall["response"]): WireMessage => ({
  line: `HTTP ${status}`,
  headers: contentType === undefined ? [] : [["Content-Type", contentType]],
  ...(body !== undefined && { body }),
  ...(events && { events }),
});
