import type { Dialect, DialectExchange, JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { Caller } from "../definition/access.ts";
import type { RequestHead } from "../definition/admission.ts";
import type { Extension } from "../definition/skill.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * One request over one binding: how it is read, and how an answer, the events of a stream, or an error is written.
 * What lies between is the same for all bindings (`serve.ts`).
 */
export interface ServerBinding {
  readonly context: RequestContext;
  readonly head: RequestHead;
  /** what the answer is written in; `read` may settle it */
  readonly dialect: Dialect;
  /** Reads the request; throws what is wrong with it. */
  read(): Promise<DecodedRequest>;
  /** Sends a whole answer. */
  answer(json: JsonValue, headers: Record<string, string>): void;
  /** Opens a stream of events. */
  events(headers: Record<string, string>): EventWriter;
  /** Sends what was thrown as an error, or breaks off the open stream. A body of JSON passes through `encode`. */
  error(thrown: unknown, encode: Encode): void;
}

/** The body of an error as it leaves. */
export type Encode = (body: JsonObject) => JsonValue;

/** The events of one stream on their way to the client. */
export interface EventWriter {
  /** A promise where the client is behind: await it before sending more. */
  send(json: JsonValue): Promise<void> | undefined;
  /** the client is gone: what is sent goes nowhere */
  readonly closed: boolean;
  end(): void;
}

/** A request as its binding understood it. */
export interface DecodedRequest {
  readonly operation: Operation;
  readonly json: unknown;
  readonly caller: Caller | undefined;
  /** what the dialect has to remember between request and answer */
  readonly exchange?: DialectExchange | undefined;
  /** the active extensions, where the binding has no way to request any; otherwise the headers of the request decide */
  readonly extensions?: readonly Extension[];
}
