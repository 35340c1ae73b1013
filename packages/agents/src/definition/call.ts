import type { DialectVersion, JsonValue, Operation, RequestOf, StreamResponse, Task } from "@assay/protocol";
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
  /** the signal is aborted when the client disconnects; it is created on first use, because that is costly */
  readonly client: { readonly signal: AbortSignal };
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
  | { readonly events: AsyncIterable<StreamResponse>; readonly answer?: never };
