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
import { type Invocation, type Outcome, type Perform, scopeOf } from "../definition/call.ts";
import type { LayeredAgent, Layers } from "../definition/layers.ts";
import { gone } from "./streams.ts";

/** A requested operation, and the agent's original behaviour. */
export interface InterceptedOperation<O extends Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  readonly agent: LayeredAgent;
  readonly invocation: Invocation;
  /** runs the original operation: with this request, another one, or for another caller */
  proceed(request?: RequestOf<O>, changes?: Changes): Promise<Outcome>;
  /** runs another operation for the same caller */
  ask<P extends UnaryOperation>(operation: P, request: RequestOf<P>, changes?: Changes): Promise<AnswerOf<P>>;
  follow(operation: StreamingOperation, request: RequestOf<StreamingOperation>): Promise<Events>;
}

/** The parts of a request that a layer may change. */
type Changes = Partial<Pick<Invocation, "tenant" | "caller" | "clientIds">>;

/** Returns the request with these changes, which may reach the tasks of another scope. */
export function changed(invocation: Invocation, changes: Changes, { definition }: LayeredAgent): Invocation {
  const { tenant, caller, ...rest } = { ...invocation, ...changes };
  return { ...rest, tenant, caller, scope: scopeOf(definition, tenant, caller) };
}

export type Events = AsyncIterable<StreamResponse>;

type OperationsLayer = NonNullable<Layers["operations"]>;

/** Combines several operation layers, the first one innermost. */
export const together =
  (...layers: readonly OperationsLayer[]): OperationsLayer =>
  (perform, agent) =>
    layers.reduce((inner, layer) => layer(inner, agent), perform);

/** Replaces these operations and keeps the others. */
export const intercept =
  <O extends Operation>(operations: readonly O[], act: (asked: InterceptedOperation<O>) => Promise<Outcome>) =>
  (perform: Perform, agent: LayeredAgent): Perform =>
  (operation, request, invocation) => {
    if (!(operations as readonly Operation[]).includes(operation)) return perform(operation, request, invocation);
    const as = (changes: Changes | undefined): Invocation =>
      changes ? changed(invocation, changes, agent) : invocation;
    const asked: InterceptedOperation<never> = {
      // It is one of the intercepted operations, as checked above.
      operation: operation as never,
      request: request as never,
      agent,
      invocation,
      proceed: (changed = request as never, changes) => perform(operation, changed, as(changes)),
      ask: async (other, wish, changes) => (await perform(other, wish, as(changes))).answer as never,
      follow: async (other, wish) => (await perform(other, wish, invocation)).events!,
    };
    return act(asked as unknown as InterceptedOperation<O>);
  };

/** Changes the request of these operations. */
export const changeParams = <O extends Operation>(
  operations: readonly O[],
  change: (request: RequestOf<O>) => RequestOf<O>,
) => intercept(operations, ({ request, proceed }) => proceed(change(request)));

/** Changes the streams of these operations. */
export const changeStream = <O extends StreamingOperation>(
  operations: readonly O[],
  tell: (events: Events, asked: InterceptedOperation<O>) => AsyncGenerator<StreamResponse, void, undefined>,
) => intercept(operations, async (asked) => ({ events: tell((await asked.proceed()).events!, asked) }));

/** Keeps these streams open after a matching event, until the client disconnects. */
export const staysOpenAfter = (operations: readonly StreamingOperation[], fits: (event: StreamResponse) => boolean) =>
  changeStream(operations, async function* (events, { invocation }) {
    let isHeld = false;
    for await (const event of events) {
      isHeld ||= fits(event);
      yield event;
    }
    if (isHeld) await gone(invocation.client.signal);
  });

/** Changes each event of these streams. */
export const changeEvents = <O extends StreamingOperation>(
  operations: readonly O[],
  change: (event: StreamResponse, asked: InterceptedOperation<O>) => StreamResponse,
) =>
  changeStream(operations, async function* (events, asked) {
    for await (const event of events) yield change(event, asked);
  });

/** Keeps only matching events in the streams of these operations. */
export const keepEvents = (operations: readonly StreamingOperation[], isKept: (event: StreamResponse) => boolean) =>
  changeStream(operations, async function* (events) {
    for await (const event of events) if (isKept(event)) yield event;
  });

/** Changes the results of these operations. */
export const changeAnswer = <O extends UnaryOperation>(
  operations: readonly O[],
  change: (answer: AnswerOf<O>, asked: InterceptedOperation<O>) => unknown,
) =>
  intercept(operations, async (asked) => ({
    answer: await change((await asked.proceed()).answer as AnswerOf<O>, asked),
  }));

/** Replaces this error of these operations by other behaviour. */
export const instead = <O extends Operation>(
  operations: readonly O[],
  kind: ErrorName,
  other: (error: A2AError, asked: InterceptedOperation<O>) => Outcome | Promise<Outcome>,
) => intercept(operations, (asked) => orElse(asked.proceed(), kind, (error) => other(error, asked)));

/** Replaces this error of these operations by another. */
export const refuseAs = (operations: readonly Operation[], kind: ErrorName, other: ErrorName, message?: string) =>
  instead(operations, kind, (error) => {
    throw new A2AError(other, message ?? error.message);
  });

/** Returns the result of other work if the operation fails with this error; other errors stay. */
export async function orElse<T>(work: Promise<T>, kind: ErrorName, other: (error: A2AError) => T | Promise<T>) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof A2AError && error.kind === kind) return other(error);
    throw error;
  }
}
