import type { JsonObject, Operation } from "@assay/protocol";
import type { RequestSpec } from "../client/request-spec.ts";
import type { Exchange, Failure } from "../recording/exchange.ts";
import type { Envelope } from "./envelope.ts";

/** How one binding carries a call to an agent and its answer back. What is inside them is the dialect's affair. */
export interface PeerBinding {
  call(operation: Operation, params: JsonObject, signal?: AbortSignal): Promise<Answered>;
  /** Resolves once there is a stream, or something else to read instead of one. */
  stream(operation: Operation, params: JsonObject, signal?: AbortSignal): Promise<AnsweredStream>;
  /** The HTTP request that a call would be, for those who want to send something like it; over gRPC there is none. */
  write(operation: Operation, params: JsonObject): RequestSpec | undefined;
  /** What a finished exchange said in the words of this binding, whatever caused it. */
  read(operation: Operation, exchange: Exchange): Reply;
}

/** A whole answer: a result, an error, nothing that can be read, or a stream of those. */
export type Reply =
  | UnaryReply
  | {
      readonly is: "stream";
      readonly events: readonly Arrived[];
      /** why it ended, unless the peer closed it in good order; "aborted" when it was us */
      readonly failure?: Failure;
    };

/** What a binding understood of an answer, or why it never came. */
export type UnaryReply = Envelope | { readonly is: "failure"; readonly failure: Failure };

export type Answered = { readonly exchange: Exchange } & UnaryReply;

/** One event of a stream: when it came, and how large it was. */
export type Arrived = { readonly at: number; readonly bytes: number } & UnaryReply;

export interface AnsweredStream {
  /** Each event as it came; what ends a stream badly is its last event. */
  readonly events: AsyncIterable<Arrived>;
  readonly finished: Promise<Exchange>;
  close(): void;
}

/** The exchange's own word on why there is nothing to read. */
export const failureOf = ({ failure }: Exchange): Failure =>
  failure ?? { code: "closed-early", message: "the peer closed the connection without an answer" };
