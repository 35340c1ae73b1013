import type { StreamResponse, Task } from "@assay/protocol";
import type { EventSource } from "../definition/call.ts";
import { changes, nextGeneration } from "../store/apply.ts";
import type { TaskEvent, TaskLog } from "../store/store.ts";
import type { TaskIds } from "./task-ids.ts";
import { publicEvent } from "./views.ts";

type Next = IteratorResult<StreamResponse, undefined>;

const over: Next = { done: true, value: undefined };

/**
 * Streams the current task and then the events of its log. Written by hand, because a generator would take
 * three more microtasks per event.
 */
export class UpdateStream implements AsyncIterableIterator<StreamResponse, undefined>, EventSource {
  readonly #ids: TaskIds;
  readonly #log: TaskLog;
  #opening: Task | undefined;
  /** the generation of the task after the last event, if the agent counts it */
  #generation: string | undefined;
  #batch: readonly TaskEvent[] = [];
  #at = 0;

  constructor(opening: Task, ids: TaskIds, log: TaskLog) {
    this.#opening = opening;
    this.#generation = opening.generation;
    this.#ids = ids;
    this.#log = log;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Next> {
    const value = this.ready();
    return value ? Promise.resolve({ done: false, value }) : this.#readOn();
  }

  async return(): Promise<Next> {
    this.#batch = [];
    await this.#log.return();
    return over;
  }

  ready(): StreamResponse | undefined {
    if (this.#opening) {
      const task = this.#opening;
      this.#opening = undefined;
      return { task };
    }
    while (this.#at < this.#batch.length) {
      const event = this.#batch[this.#at++]!;
      if (isLast(event)) void this.return();
      if (this.#generation !== undefined && changes(event)) this.#generation = nextGeneration(this.#generation);
      const value = publicEvent(this.#ids, event, this.#generation);
      if (value) return value;
    }
    return undefined;
  }

  async #readOn(): Promise<Next> {
    for (;;) {
      const { done, value: batch } = await this.#log.next();
      if (done) return over;
      this.#batch = batch;
      this.#at = 0;
      const value = this.ready();
      if (value) return { done: false, value };
    }
  }
}

/**
 * Returns true if the task waits for input: the client comes back with a new request (§11.7). While it waits
 * for credentials the stream stays open, because they may arrive out of band (§7.6.1).
 */
const isLast = (event: TaskEvent): boolean =>
  event.is === "status" && event.status.state === "TASK_STATE_INPUT_REQUIRED";

export async function* single<T>(value: T): AsyncGenerator<T> {
  yield value;
}
