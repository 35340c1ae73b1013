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

/** An operation that was requested, and what the agent would do about it. */
export interface InterceptedOperation<O extends Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  readonly agent: LayeredAgent;
  readonly invocation: Invocation;
  /** what the agent does by itself: with this request, or with another one, or for another caller */
  proceed(request?: RequestOf<O>, changes?: Changes): Promise<Outcome>;
  /** another operation on behalf of the same caller */
  ask<P extends UnaryOperation>(operation: P, request: RequestOf<P>, changes?: Changes): Promise<AnswerOf<P>>;
  follow(operation: StreamingOperation, request: RequestOf<StreamingOperation>): Promise<Events>;
}

/** What may be different about a request that a layer passes on. */
type Changes = Partial<Pick<Invocation, "tenant" | "caller" | "clientIds">>;

/** The request with these changes, which may lead to the tasks of another scope. */
export function changed(invocation: Invocation, changes: Changes, { definition }: LayeredAgent): Invocation {
  const { tenant, caller, ...rest } = { ...invocation, ...changes };
  return { ...rest, tenant, caller, scope: scopeOf(definition, tenant, caller) };
}

export type Events = AsyncIterable<StreamResponse>;

type OperationsLayer = NonNullable<Layers["operations"]>;

/** Several layers of operations, the first one innermost. */
export const together =
  (...layers: readonly OperationsLayer[]): OperationsLayer =>
  (perform, agent) =>
    layers.reduce((inner, layer) => layer(inner, agent), perform);

/** These operations are carried out differently, the others as ever. */
export const intercept =
  <O extends Operation>(operations: readonly O[], act: (asked: InterceptedOperation<O>) => Promise<Outcome>) =>
  (perform: Perform, agent: LayeredAgent): Perform =>
  (operation, request, invocation) => {
    if (!(operations as readonly Operation[]).includes(operation)) return perform(operation, request, invocation);
    const as = (changes: Changes | undefined): Invocation =>
      changes ? changed(invocation, changes, agent) : invocation;
    const asked: InterceptedOperation<never> = {
      // It is one of the operations asked for: the line above looked.
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

/** The request of these operations is understood differently. */
export const changeParams = <O extends Operation>(
  operations: readonly O[],
  change: (request: RequestOf<O>) => RequestOf<O>,
) => intercept(operations, ({ request, proceed }) => proceed(change(request)));

/** Streams of these operations are told differently. */
export const changeStream = <O extends StreamingOperation>(
  operations: readonly O[],
  tell: (events: Events, asked: InterceptedOperation<O>) => AsyncGenerator<StreamResponse, void, undefined>,
) => intercept(operations, async (asked) => ({ events: tell((await asked.proceed()).events!, asked) }));

/** Each event of these streams is told differently. */
export const changeEvents = <O extends StreamingOperation>(
  operations: readonly O[],
  change: (event: StreamResponse, asked: InterceptedOperation<O>) => StreamResponse,
) =>
  changeStream(operations, async function* (events, asked) {
    for await (const event of events) yield change(event, asked);
  });

/** Streams of these operations tell only such events. */
export const keepEvents = (operations: readonly StreamingOperation[], isKept: (event: StreamResponse) => boolean) =>
  changeStream(operations, async function* (events) {
    for await (const event of events) if (isKept(event)) yield event;
  });

/** The answers of these operations are changed. */
export const changeAnswer = <O extends UnaryOperation>(
  operations: readonly O[],
  change: (answer: AnswerOf<O>, asked: InterceptedOperation<O>) => unknown,
) =>
  intercept(operations, async (asked) => ({
    answer: await change((await asked.proceed()).answer as AnswerOf<O>, asked),
  }));

/** Where these operations are refused for this reason, something else happens. */
export const instead = <O extends Operation>(
  operations: readonly O[],
  kind: ErrorName,
  other: (error: A2AError, asked: InterceptedOperation<O>) => Outcome | Promise<Outcome>,
) => intercept(operations, (asked) => orElse(asked.proceed(), kind, (error) => other(error, asked)));

/** Where these operations are refused for this reason, they give another. */
export const refuseAs = (operations: readonly Operation[], kind: ErrorName, other: ErrorName, message?: string) =>
  instead(operations, kind, (error) => {
    throw new A2AError(other, message ?? error.message);
  });

/** What an operation comes to, where it was refused for this reason; any other refusal stays one. */
export async function orElse<T>(work: Promise<T>, kind: ErrorName, other: (error: A2AError) => T | Promise<T>) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof A2AError && error.kind === kind) return other(error);
    throw error;
  }
}
