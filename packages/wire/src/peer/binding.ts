import type { JsonObject, Operation } from "@assay/protocol";
import type { RequestSpec } from "../client/request-spec.ts";
import type { Exchange, Failure } from "../recording/exchange.ts";
import type { Envelope } from "./envelope.ts";

/** Carries calls and responses over one binding. The dialect defines their content. */
export interface PeerBinding {
  call(operation: Operation, params: JsonObject, signal?: AbortSignal): Promise<Answered>;
  /** Resolves once there is a stream, or another response instead. */
  stream(operation: Operation, params: JsonObject, signal?: AbortSignal): Promise<AnsweredStream>;
  /** Returns the HTTP request of a call without sending it; undefined over gRPC. */
  write(operation: Operation, params: JsonObject): RequestSpec | undefined;
  /** Reads a finished exchange as this binding, whatever caused it. */
  read(operation: Operation, exchange: Exchange): Reply;
}

/** A whole response: a result, an error, something unreadable, or a stream of those. */
export type Reply =
  | UnaryReply
  | {
      readonly is: "stream";
      readonly events: readonly Arrived[];
      /** why it ended, unless the peer closed it cleanly; "aborted" if we did */
      readonly failure?: Failure;
    };

/** The response as the binding understood it, or the failure. */
export type UnaryReply = Envelope | { readonly is: "failure"; readonly failure: Failure };

export type Answered = { readonly exchange: Exchange } & UnaryReply;

/** One event of a stream, with its arrival time and size. */
export type Arrived = { readonly at: number; readonly bytes: number } & UnaryReply;

export interface AnsweredStream {
  /** Each event as it arrived. If a stream fails, its last event is the failure. */
  readonly events: AsyncIterable<Arrived>;
  readonly finished: Promise<Exchange>;
  close(): void;
}

/** Returns the failure of an exchange without a readable response. */
export const failureOf = ({ failure }: Exchange): Failure =>
  failure ?? { code: "closed-early", message: "the peer closed the connection without a response" };
