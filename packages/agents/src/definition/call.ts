import type { DialectVersion, JsonValue, Operation, RequestOf, StreamResponse, Task } from "@assay/protocol";
import type { Caller } from "./access.ts";
import type { Extension } from "./skill.ts";

/** What the engine and the webhooks have to know of a request: whose tasks it may reach, and what applies to it. */
export interface TaskCall {
  /** the tasks that the caller can see: those of this agent, tenant and caller */
  readonly scope: string;
  /** where what is held for the caller is charged */
  readonly account: string;
  /** declared by the agent and requested by the client */
  readonly extensions: readonly Extension[];
  readonly tenant?: string;
  /** the address that the client reached the test bed at */
  readonly baseUrl?: string;
  /** clients name their tasks, as in 0.1: an unknown id is a new task, that of an ended one begins it again */
  readonly clientIds?: boolean;
  /** what webhooks that the caller registers are sent, where that is not the event itself */
  readonly webhookBody?: WebhookBody | undefined;
}

/** Before 1.0 a webhook was told the task as it stands, in the words of the dialect it was registered in. */
export interface WebhookBody {
  readonly version: DialectVersion;
  write(task: Task): JsonValue;
}

/** A request below the wire: decoded, its caller known, its version and extensions settled. The engine is handed it as it is. */
export interface Invocation extends TaskCall {
  readonly tenant: string;
  readonly baseUrl: string;
  readonly caller: Caller | undefined;
  /** the value of the Authorization header, where there was one */
  readonly authorization: string | undefined;
  /** the signal is aborted when the client is gone; making one costs something, so it is made when it is looked at */
  readonly client: { readonly signal: AbortSignal };
}

/** Whose tasks these are: those of one caller of an agent, in one tenant. */
export const scopeOf = ({ path }: { readonly path: string }, tenant: string, caller: Caller | undefined): string =>
  `${path}\n${tenant}\n${caller?.name ?? ""}`;

/** Carries out an operation for a request that was admitted. */
export type Perform = <O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  invocation: Invocation,
) => Promise<Outcome>;

export type Outcome =
  | { readonly answer: unknown; readonly events?: never }
  | { readonly events: AsyncIterable<StreamResponse>; readonly answer?: never };
