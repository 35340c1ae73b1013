import { isTerminal, type Task } from "@assay/protocol/core";
import type { TaskEvent } from "../store/store.ts";

/** Size limits of one task; an absent one is unlimited. */
export interface TaskLimits {
  /** messages in the history of a task, including the agent's */
  readonly historyMessages?: number | undefined;
  /** one artifact, as JSON */
  readonly artifactBytes?: number | undefined;
}

/** A task exceeds one of its limits. */
export class TaskTooLarge extends Error {
  override readonly name = "TaskTooLarge";
}

/** Returns the number of messages of a task: its history, and the one of its status. */
export const messagesIn = ({ history = [], status: { message } }: Task): number => history.length + (message ? 1 : 0);

/** Tracks the growth of a task; created only if there is a limit. */
export class TaskGrowth {
  readonly #limits: TaskLimits;
  #messages: number;
  readonly #artifacts = new Map<string, number>();

  constructor(limits: TaskLimits, task: Task) {
    this.#limits = limits;
    this.#messages = messagesIn(task);
    for (const artifact of task.artifacts ?? []) this.#artifacts.set(artifact.artifactId, sizeOf(artifact));
  }

  /** Throws before an event that would exceed a limit. Final events are always accepted. */
  add(event: TaskEvent): void {
    const { historyMessages = Number.POSITIVE_INFINITY, artifactBytes = Number.POSITIVE_INFINITY } = this.#limits;
    if (event.is === "status" && event.status.message) {
      this.#messages++;
      if (this.#messages > historyMessages && !isTerminal(event.status.state))
        throw new TaskTooLarge(`a task may have at most ${historyMessages} messages`);
    }
    if (event.is !== "artifact" || artifactBytes === Number.POSITIVE_INFINITY) return;
    const { artifactId } = event.artifact;
    const bytes = (event.append ? (this.#artifacts.get(artifactId) ?? 0) : 0) + sizeOf(event.artifact);
    if (bytes > artifactBytes) throw new TaskTooLarge(`an artifact may have at most ${artifactBytes} bytes`);
    this.#artifacts.set(artifactId, bytes);
  }
}

const sizeOf = (artifact: object): number => Buffer.byteLength(JSON.stringify(artifact));
