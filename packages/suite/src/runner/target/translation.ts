import { randomUUID } from "node:crypto";
import {
  type Binding,
  type Dialect,
  type DialectExchange,
  extensionsHeader,
  isObject,
  type JsonObject,
  type JsonValue,
  type OlderWire,
  type Operation,
  olderExtensionsHeader,
  type RequestOf,
  startExchange,
  transliterate,
  v02For,
} from "@assay/protocol";
import { grpcV03 } from "@assay/protocol/grpc";
import {
  type Arrived,
  dialectFor,
  type HeaderPairs,
  type PeerError,
  type PeerInterface,
  type Reply,
} from "@assay/wire";
import { rememberSaid } from "../../answers/said.ts";
import { doesNotApply, skipped } from "../../define/obstacle.ts";

/**
 * Translates one call to an older version into terms of 1.0, so that a rule shared by all versions needs one check.
 * `Call.said` keeps the agent's own words.
 */
export class Translation {
  readonly #dialect: Dialect;
  readonly #binding: Binding;
  readonly #exchange: DialectExchange = startExchange(randomUUID);

  private constructor(dialect: Dialect, binding: Binding) {
    this.#dialect = dialect;
    this.#binding = binding;
  }

  /** Returns undefined for 1.0, which needs no translation. */
  static of({ binding, dialect: version }: PeerInterface): Translation | undefined {
    if (version === "1.0") return undefined;
    // Later releases also accept what 0.2.5 requires.
    const dialect = version === "0.2" ? v02For("0.2.5") : dialectFor(binding, version);
    return dialect && new Translation(dialect, binding);
  }

  /** Keeps the request but nothing of the response, to read the same response again. */
  fresh(): Translation {
    const { taskId, contextId } = this.#exchange;
    const other = new Translation(this.#dialect, this.#binding);
    if (taskId !== undefined) other.#exchange.taskId = taskId;
    if (contextId !== undefined) other.#exchange.contextId = contextId;
    return other;
  }

  /** Returns the request in the older version. */
  write(operation: Operation, params: JsonObject): JsonObject {
    const { version } = this.#dialect;
    if (this.#dialect.methodOf(operation) === undefined) throw doesNotApply(`${version} has no ${operation}`);
    try {
      // Checks pass JSON of 1.0, valid or not. JSON that is too invalid to translate cannot be sent there.
      const request = params as unknown as RequestOf<Operation>;
      const written = this.#dialect.writeRequest(operation, request, this.#exchange) as JsonObject;
      if (this.#binding === "GRPC") grpcV03.writeRequest(operation, written);
      return written;
    } catch {
      throw skipped("not-triggered", `${version} cannot express it`);
    }
  }

  read(operation: Operation, reply: Reply): Reply {
    switch (reply.is) {
      case "result":
        return { is: "result", json: this.#answer(operation, reply.json) };
      case "error":
        return { is: "error", error: meant(reply.error) };
      case "stream":
        return { ...reply, events: reply.events.flatMap((frame) => this.readFrame(operation, frame)) };
      case "malformed":
      case "failure":
        return reply;
    }
  }

  /** Usually one event of 1.0. 0.1 may combine several in one, or need an event that introduces the task. */
  readFrame(operation: Operation, frame: Arrived): Arrived[] {
    if (frame.is === "error") return [{ ...frame, error: meant(frame.error) }];
    if (frame.is !== "result") return [frame];
    const { value } = this.#dialect.readEvents(frame.json, this.#exchange);
    // The codecs of Assay return JSON.
    const events = (value ?? [this.#loosely(operation, frame.json)]) as JsonValue[];
    for (const event of events) rememberSaid(event, frame.json);
    return events.map((json, index) => ({ ...frame, json, bytes: index === 0 ? frame.bytes : 0 }));
  }

  #answer(operation: Operation, json: JsonValue): JsonValue {
    // Cards are judged as written.
    if (operation === "GetExtendedAgentCard") return json;
    const { value } = this.#dialect.readAnswer(operation, json, this.#exchange);
    const meant = (value as JsonValue | undefined) ?? this.#loosely(operation, json);
    rememberSaid(meant, json);
    return meant;
  }

  #loosely(operation: Operation, json: JsonValue): JsonValue {
    return transliterate(this.#dialect.wire as OlderWire, operation, json);
  }
}

type Edit = (headers: HeaderPairs) => HeaderPairs;

/** Uses the header names of the version: before 1.0 the extensions header had another name. */
export function headersFor({ dialect }: PeerInterface, edit: Edit | undefined): Edit | undefined {
  if (dialect === "1.0") return edit;
  return (headers) =>
    (edit?.(headers) ?? headers).map(([name, value]) =>
      name === extensionsHeader ? [olderExtensionsHeader, value] : [name, value],
    );
}

/** The JS server of 0.1 wraps every error into an internal error that contains the real one. */
function meant(error: PeerError): PeerError {
  const { data } = error;
  const inner = isObject(data) ? data["error"] : undefined;
  if (!isObject(inner) || typeof inner["code"] !== "number") return error;
  const message = typeof inner["message"] === "string" ? inner["message"] : error.message;
  return { ...error, code: inner["code"], message };
}
