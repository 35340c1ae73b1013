import type { DialectVersion, JsonValue, Operation, RequestOf, StreamResponse, Task } from "@assay/protocol";
import type { StopSignal } from "@assay/wire/server";
import type { Caller } from "./access.ts";
import type { Extension } from "./skill.ts";

/**
 * The facts about a request that the engine and the webhooks need: the tasks it may reach, and its settings.
 */
export interface TaskCall {
  /** the tasks that the caller can see: those of this agent, tenant and caller */
  readonly scope: string;
  /** the account that is charged for the memory held for the caller */
  readonly account: string;
  /** declared by the agent and requested by the client */
  readonly extensions: readonly Extension[];
  readonly tenant?: string;
  /** the address at which the client reached the test bed */
  readonly baseUrl?: string;
  /**
   * clients choose task ids, as in 0.1: an unknown id is a new task, and the id of an ended one restarts it
   */
  readonly clientIds?: boolean;
  /** the body for webhooks that the caller registers, if it is not the event itself */
  readonly webhookBody?: WebhookBody | undefined;
}

/** Before 1.0 a webhook received the whole task, in the dialect in which it was registered. */
export interface WebhookBody {
  readonly version: DialectVersion;
  write(task: Task): JsonValue;
}

/** A decoded and admitted request. The engine gets it unchanged. */
export interface Invocation extends TaskCall {
  readonly tenant: string;
  readonly baseUrl: string;
  readonly caller: Caller | undefined;
  /** the Authorization header, if present */
  readonly authorization: string | undefined;
  /** aborted when the client disconnects; the signal is created on first use, because that is costly */
  readonly client: { readonly signal: AbortSignal; readonly departure?: StopSignal };
}

/** Returns the scope of tasks: one caller of one agent in one tenant. */
export const scopeOf = ({ path }: { readonly path: string }, tenant: string, caller: Caller | undefined): string =>
  `${path}\n${tenant}\n${caller?.name ?? ""}`;

/** Performs an operation for an admitted request. */
export type Perform = <O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  invocation: Invocation,
) => Promise<Outcome>;

export type Outcome =
  | { readonly answer: unknown; readonly events?: never }
  | { readonly events: EventSource; readonly answer?: never };

/** The events of a stream. A promise for each would cost more than the event, so those at hand can be read at once. */
export interface EventSource extends AsyncIterable<StreamResponse> {
  /** Returns the next event if no waiting is necessary. */
  ready?(): StreamResponse | undefined;
}
