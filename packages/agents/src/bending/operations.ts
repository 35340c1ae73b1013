import {
  A2AError,
  type AnswerOf,
  type ErrorName,
  type Operation,
  type RequestOf,
  type StreamingOperation,
  type StreamResponse,
  type UnaryOperation,
} from "@assay/protocol";
import type { AgentHost, Invocation, Outcome, Perform } from "../http/host.ts";

/** An operation that somebody asked for, and what the agent would do about it. */
export interface Asked<O extends Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  readonly host: AgentHost;
  readonly invocation: Invocation;
  /** what the agent does by itself: with this request, or with another one, or for somebody else */
  proceed(request?: RequestOf<O>, caller?: Partial<Invocation>): Promise<Outcome>;
  /** another operation on behalf of the same caller */
  ask<P extends UnaryOperation>(
    operation: P,
    request: RequestOf<P>,
    caller?: Partial<Invocation>,
  ): Promise<AnswerOf<P>>;
  follow(operation: StreamingOperation, request: RequestOf<StreamingOperation>): Promise<Events>;
}

export type Events = AsyncIterable<StreamResponse>;

/** These operations are carried out differently, the others as ever. */
export const instead =
  <O extends Operation>(operations: readonly O[], act: (asked: Asked<O>) => Promise<Outcome>) =>
  (perform: Perform): Perform =>
  (host, operation, request, invocation) => {
    if (!(operations as readonly Operation[]).includes(operation)) return perform(host, operation, request, invocation);
    const as = (caller: Partial<Invocation> = {}): Invocation => ({ ...invocation, ...caller });
    const asked: Asked<never> = {
      // It is one of the operations asked for: the line above looked.
      operation: operation as never,
      request: request as never,
      host,
      invocation,
      proceed: (changed = request as never, caller) => perform(host, operation, changed, as(caller)),
      ask: async (other, wish, caller) => (await perform(host, other, wish, as(caller))).answer as never,
      follow: async (other, wish) => (await perform(host, other, wish, as())).events!,
    };
    return act(asked as unknown as Asked<O>);
  };

/** The request of these operations is understood differently. */
export const rewish = <O extends Operation>(
  operations: readonly O[],
  change: (request: RequestOf<O>) => RequestOf<O>,
) => instead(operations, ({ request, proceed }) => proceed(change(request)));

/** Streams of these operations are told differently. */
export const retell = <O extends StreamingOperation>(
  operations: readonly O[],
  tell: (events: Events, asked: Asked<O>) => AsyncGenerator<StreamResponse, void, undefined>,
) => instead(operations, async (asked) => ({ events: tell((await asked.proceed()).events!, asked) }));

/** What an operation comes to, where it was refused for this reason; any other refusal stays one. */
export async function orElse<T>(work: Promise<T>, kind: ErrorName, other: (error: A2AError) => T | Promise<T>) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof A2AError && error.kind === kind) return other(error);
    throw error;
  }
}
