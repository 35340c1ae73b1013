/** A place in the order of a walk: the status time and the task id. */
export interface Slot {
  readonly id: string;
  readonly time: number;
  /** the version at which the task arrived here */
  readonly born: number;
  /** the version at which it left; 0 while it is here */
  died: number;
}

/** The position of a walk: the version at which it began, and its last slot. */
export interface WalkPosition {
  readonly version: number;
  readonly time: number;
  readonly id: string;
}

/** Counts the changes of orders that share versions. */
export interface Versions {
  latest: number;
}

/** Creates the current slot of a task. */
export const newSlot = (id: string, time: number, versions: Versions): Slot => ({
  id,
  time,
  born: ++versions.latest,
  died: 0,
});

/** Maximum distance from the front at which a removable slot is searched. */
const reach = 64;

/**
 * Tasks by their last status, newest first. Several orders may share a slot. A task that moves leaves its old
 * slot behind for earlier walks, so that they find every task exactly once, at its original place. Old slots
 * are removed when they outnumber the tasks; earlier walks then expire.
 */
export class RecencyOrder {
  /** oldest first, so that adding to the front is a push */
  #slots: Slot[] = [];
  #size = 0;
  readonly #versions: Versions;
  /** the version at which the latest walk began */
  #walkedAt = -1;
  /** the earliest version with complete places; there are none from before the creation of this order */
  #horizon: number;

  constructor(versions: Versions = { latest: 0 }) {
    this.#versions = versions;
    this.#horizon = versions.latest;
  }

  get size(): number {
    return this.#size;
  }

  /** Begins a walk: the current slots are kept for it. */
  begin(): number {
    this.#walkedAt = this.#versions.latest;
    return this.#walkedAt;
  }

  /** Adds a slot, nearly always at the front. */
  enter(slot: Slot): void {
    const last = this.#slots.at(-1);
    // The writer that read the clock first may write last, and clocks can be set back.
    if (last === undefined || last.time <= slot.time) this.#slots.push(slot);
    else this.#slots.splice(this.#firstFrom(slot.time + 1), 0, slot);
    this.#size++;
    if (this.#slots.length > 2 * this.#size + 4096) this.#sweep();
  }

  /** Removes the task from this slot (`died` says when). */
  leave(slot: Slot): void {
    this.#size--;
    // A slot that no walk has seen can be dropped. It is mostly near the front, because most tasks move again soon.
    if (slot.born <= this.#walkedAt) return;
    const slots = this.#slots;
    const end = Math.max(0, slots.length - reach);
    for (let index = slots.length - 1; index >= end; index--) {
      if (slots[index] !== slot) continue;
      slots.copyWithin(index, index + 1);
      slots.pop();
      return;
    }
  }

  /** Returns true if a walk that began at this version can continue without losing a task. */
  remembers(version: number): boolean {
    return version >= this.#horizon;
  }

  /** Yields the ids from `position` on, newest first, as they were at its version. */
  *walk(position?: WalkPosition): Generator<{ id: string; time: number }> {
    const version = position?.version ?? this.#versions.latest;
    let index = position ? this.#indexOf(position) - 1 : this.#slots.length - 1;
    for (; index >= 0; index--) {
      const slot = this.#slots[index]!;
      if (stoodAt(version, slot)) yield slot;
    }
  }

  /** Returns the index of the slot at a position. */
  #indexOf({ time, id, version }: WalkPosition): number {
    let index = this.#firstFrom(time);
    for (; index < this.#slots.length; index++) {
      const slot = this.#slots[index]!;
      if (slot.id === id && stoodAt(version, slot)) break;
    }
    return index;
  }

  /** Returns the oldest slot that is not before `time`. */
  #firstFrom(time: number): number {
    let low = 0;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#slots[middle]!.time < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sweep(): void {
    // Walks of the last few thousand changes keep their places; older ones have ended or start
    // again.
    this.#horizon = this.#versions.latest - Math.max(2048, this.#size >> 1);
    this.#slots = this.#slots.filter(
      ({ born, died }) => died === 0 || (died > this.#horizon && born <= this.#walkedAt),
    );
  }
}

const stoodAt = (version: number, { born, died }: Slot): boolean => born <= version && (died === 0 || died > version);
