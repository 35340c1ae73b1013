import type { DialectExchange } from "../exchange.ts";

/** The task and the context that a payload of 0.1 belongs to: its messages name neither, its events only the task. */
export interface TaskOwner {
  readonly taskId: string;
  readonly contextId?: string;
}

const contextFor = (taskId: string): string => `v01-context-${taskId}`;

/** The context of an event, which 1.0 requires and 0.1 does not write: the session of the request, or a name for it. */
export const ownerOf = (taskId: string, { contextId }: DialectExchange): Required<TaskOwner> => ({
  taskId,
  contextId: contextId ?? contextFor(taskId),
});

/** The session to write: a context that we only made up for reading is not one. */
export const sessionOf = ({ taskId, contextId }: TaskOwner): string | undefined =>
  contextId === contextFor(taskId) ? undefined : contextId;
