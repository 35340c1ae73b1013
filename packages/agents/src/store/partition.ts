import type { Task, TaskState } from "@assay/protocol";
import { RecencyOrder, type Versions, type WalkPosition } from "./recency.ts";
import type { TaskFilter } from "./store.ts";

/** A place of a walk and the task that has it. */
interface Match {
  readonly task: Task;
  readonly slot: { readonly id: string; readonly time: number };
}

/**
 * The tasks of one scope, in the orders that lists walk: all of them, those of each context, those in each state. Ids
 * are unique within it: in 0.1 clients choose them.
 */
export class Partition<E extends { readonly task: Task }> {
  readonly entries = new Map<string, E>();
  readonly #versions: Versions = { latest: 0 };
  readonly #all = new RecencyOrder(this.#versions);
  readonly #contexts = new Map<string, RecencyOrder>();
  readonly #states = new Map<TaskState, RecencyOrder>();

  add(entry: E, time: number): void {
    const { id, contextId, status } = entry.task;
    this.entries.set(id, entry);
    this.#all.touch(id, time);
    this.#in(this.#states, status.state).touch(id, time);
    if (contextId !== undefined) this.#in(this.#contexts, contextId).touch(id, time);
  }

  /** The status of a task changed: `before` was its state. */
  move({ task }: E, before: TaskState, time: number): void {
    const { id, contextId, status } = task;
    this.#all.touch(id, time);
    if (before !== status.state) this.#states.get(before)?.remove(id);
    this.#in(this.#states, status.state).touch(id, time);
    if (contextId !== undefined) this.#in(this.#contexts, contextId).touch(id, time);
  }

  remove({ task: { id, contextId, status } }: E): void {
    this.entries.delete(id);
    this.#all.remove(id);
    this.#states.get(status.state)?.remove(id);
    const context = contextId === undefined ? undefined : this.#contexts.get(contextId);
    context?.remove(id);
    // There are as many contexts as clients like: none outlives its tasks.
    if (context?.size === 0) this.#contexts.delete(contextId!);
  }

  /** The order that a walk with this filter goes along, from its first page to its last. */
  orderFor({ contextId, state }: TaskFilter): RecencyOrder {
    if (contextId !== undefined) return this.#contexts.get(contextId) ?? new RecencyOrder();
    return state === undefined ? this.#all : (this.#states.get(state) ?? new RecencyOrder());
  }

  /** The tasks that match, newest first, from a place on. */
  *matching(filter: TaskFilter, position?: WalkPosition): Generator<Match> {
    const { state, since = Number.NEGATIVE_INFINITY } = filter;
    for (const slot of this.orderFor(filter).walk(position)) {
      if (slot.time < since) return;
      const task = this.entries.get(slot.id)?.task;
      if (task && (state === undefined || task.status.state === state)) yield { task, slot };
    }
  }

  count(filter: TaskFilter): number {
    const { contextId, state, since } = filter;
    if (since === undefined && (contextId === undefined || state === undefined)) return this.orderFor(filter).size;
    let count = 0;
    for (const _match of this.matching(filter)) count++;
    return count;
  }

  #in<K>(orders: Map<K, RecencyOrder>, key: K): RecencyOrder {
    const known = orders.get(key);
    if (known) return known;
    const order = new RecencyOrder(this.#versions);
    orders.set(key, order);
    return order;
  }
}
