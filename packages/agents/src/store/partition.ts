import type { Task, TaskState } from "@assay/protocol";
import { newSlot, RecencyOrder, type Slot, type Versions, type WalkPosition } from "./recency.ts";
import type { TaskFilter } from "./store.ts";

/** A position of a walk and its task. */
interface Match {
  readonly task: Task;
  readonly slot: { readonly id: string; readonly time: number };
}

/** A stored task, and its slot in all orders. */
export interface PlacedTask {
  readonly task: Task;
  slot: Slot | undefined;
}

/**
 * The tasks of one scope, in the orders that lists use: all, by context, by state. Ids are unique within the
 * scope, because 0.1 clients choose them.
 */
export class Partition<E extends PlacedTask> {
  readonly scope: string;
  readonly entries = new Map<string, E>();
  readonly #versions: Versions = { latest: 0 };
  readonly #all = new RecencyOrder(this.#versions);
  /** Most contexts have one task and are never listed: such a context is just its slot and needs no order. */
  readonly #contexts = new Map<string, RecencyOrder | Slot>();
  readonly #states = new Map<TaskState, RecencyOrder>();

  constructor(scope: string) {
    this.scope = scope;
  }

  add(entry: E, time: number): void {
    const { id, contextId, status } = entry.task;
    const slot = newSlot(id, time, this.#versions);
    entry.slot = slot;
    this.entries.set(id, entry);
    this.#all.enter(slot);
    this.#orderOf(status.state).enter(slot);
    if (contextId === undefined) return;
    if (this.#contexts.has(contextId)) this.#contextOrder(contextId)!.enter(slot);
    else this.#contexts.set(contextId, slot);
  }

  /** Moves a task after a status change; `before` was its state. */
  move(entry: E, before: TaskState, time: number): void {
    const { id, contextId, status } = entry.task;
    const from = this.#left(entry);
    const to = newSlot(id, time, this.#versions);
    entry.slot = to;
    this.#all.leave(from);
    this.#all.enter(to);
    this.#orderOf(before).leave(from);
    this.#orderOf(status.state).enter(to);
    const context = contextId === undefined ? undefined : this.#contexts.get(contextId);
    if (context instanceof RecencyOrder) {
      context.leave(from);
      context.enter(to);
    } else if (context) this.#contexts.set(contextId!, to);
  }

  remove(entry: E): void {
    const { id, contextId, status } = entry.task;
    const slot = this.#left(entry);
    this.entries.delete(id);
    this.#all.leave(slot);
    this.#orderOf(status.state).leave(slot);
    const context = contextId === undefined ? undefined : this.#contexts.get(contextId);
    if (context instanceof RecencyOrder) context.leave(slot);
    // Clients can create any number of contexts, so none outlives its tasks.
    if (context === slot || (context instanceof RecencyOrder && context.size === 0)) this.#contexts.delete(contextId!);
  }

  /** Returns the order for a walk with this filter, from its first page to its last. */
  orderFor({ contextId, state }: TaskFilter): RecencyOrder {
    if (contextId !== undefined) return this.#contextOrder(contextId) ?? new RecencyOrder();
    return state === undefined ? this.#all : (this.#states.get(state) ?? new RecencyOrder());
  }

  /** Yields the matching tasks, newest first, from a position on. */
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

  /** number of tasks in each state */
  *byState(): Iterable<[TaskState, number]> {
    for (const [state, { size }] of this.#states) yield [state, size];
  }

  /** Returns the slot of a task that leaves it now. */
  #left({ slot, task }: E): Slot {
    if (!slot) throw new Error(`task ${task.id} has no place`);
    slot.died = ++this.#versions.latest;
    return slot;
  }

  #orderOf(state: TaskState): RecencyOrder {
    const known = this.#states.get(state);
    if (known) return known;
    const order = new RecencyOrder(this.#versions);
    this.#states.set(state, order);
    return order;
  }

  /** Returns the order of a context with several tasks. */
  #contextOrder(contextId: string): RecencyOrder | undefined {
    const known = this.#contexts.get(contextId);
    if (!known || known instanceof RecencyOrder) return known;
    const order = new RecencyOrder(this.#versions);
    order.enter(known);
    this.#contexts.set(contextId, order);
    return order;
  }
}
