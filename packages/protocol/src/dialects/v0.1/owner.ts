import type { DialectExchange } from "../exchange.ts";

/** The task and context of a 0.1 payload. Messages name neither, events only the task. */
export interface TaskOwner {
  readonly taskId: string;
  readonly contextId?: string;
}

const contextFor = (taskId: string): string => `v01-context-${taskId}`;

/**
 * Returns the owner of an event. 1.0 requires a context that 0.1 does not write: the session of the request, or a
 * generated name.
 */
export const ownerOf = (taskId: string, { contextId }: DialectExchange): Required<TaskOwner> => ({
  taskId,
  contextId: contextId ?? contextFor(taskId),
});

/** Returns the session to write. A context that was generated for reading is not one. */
export const sessionOf = ({ taskId, contextId }: TaskOwner): string | undefined =>
  contextId === contextFor(taskId) ? undefined : contextId;
