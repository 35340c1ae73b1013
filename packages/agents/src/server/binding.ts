import type { Dialect, DialectExchange, JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { Caller } from "../definition/access.ts";
import type { RequestHead } from "../definition/admission.ts";
import type { Extension } from "../definition/skill.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Reads one request over one binding, and writes its response, stream events or error. The rest is the same
 * for all bindings (`serve.ts`).
 */
export interface ServerBinding {
  readonly context: RequestContext;
  readonly head: RequestHead;
  /** the dialect of the response; `read` may set it */
  readonly dialect: Dialect;
  /** Reads the request; throws if it is invalid. */
  read(): Promise<DecodedRequest>;
  /** Sends a complete response. */
  answer(json: JsonValue, headers: Record<string, string>): void;
  /** Opens a stream of events. */
  events(headers: Record<string, string>): EventWriter;
  /** Sends an error, or breaks off the open stream. A JSON body passes through `encode`. */
  error(thrown: unknown, encode: Encode): void;
}

/** Encodes the body of an error for the wire. */
export type Encode = (body: JsonObject) => JsonValue;

/** Writes the events of one stream to the client. */
export interface EventWriter {
  /** Returns a promise if the client is behind: await it before sending more. */
  send(json: JsonValue): Promise<void> | undefined;
  /** the client has disconnected; further events are dropped */
  readonly closed: boolean;
  end(): void;
}

/** A request as decoded by its binding. */
export interface DecodedRequest {
  readonly operation: Operation;
  readonly json: unknown;
  readonly caller: Caller | undefined;
  /** state that the dialect keeps between request and response */
  readonly exchange?: DialectExchange | undefined;
  /** the active extensions, if the binding cannot request any; otherwise the request headers decide */
  readonly extensions?: readonly Extension[];
}
