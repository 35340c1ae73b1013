/** A place in the order of a walk: the status time, and the id that stood there. */
export interface Slot {
  readonly id: string;
  readonly time: number;
  /** the version at which the task came here */
  readonly born: number;
  /** the version at which it left; 0 while it is here */
  died: number;
}

/** Where a walk stands: the version it began at, and the last slot it showed. */
export interface WalkPosition {
  readonly version: number;
  readonly time: number;
  readonly id: string;
}

/** Counts the changes of orders that know each other's versions. */
export interface Versions {
  latest: number;
}

/** A slot that a task comes to now. */
export const newSlot = (id: string, time: number, versions: Versions): Slot => ({
  id,
  time,
  born: ++versions.latest,
  died: 0,
});

/** How far from the front a slot is looked for that may be dropped at once. */
const reach = 64;

/**
 * Tasks by their last status, newest first. The same slot may stand in several orders. A task that moves leaves its
 * old slot behind for the walks that began before: they find every task exactly once, where it stood when they began,
 * however much the order changes meanwhile. Old slots are swept when they outnumber the tasks, and walks that began
 * before what is left cannot go on.
 */
export class RecencyOrder {
  /** oldest first, so that coming to the front is a push */
  #slots: Slot[] = [];
  #size = 0;
  readonly #versions: Versions;
  /** the version at which the latest walk began */
  #walkedAt = -1;
  /** the earliest version whose places are all still here: an order knows nothing from before it was made */
  #horizon: number;

  constructor(versions: Versions = { latest: 0 }) {
    this.#versions = versions;
    this.#horizon = versions.latest;
  }

  get size(): number {
    return this.#size;
  }

  /** Where a walk begins: what stands here now is kept for it. */
  begin(): number {
    this.#walkedAt = this.#versions.latest;
    return this.#walkedAt;
  }

  /** A task comes to this slot: nearly always in front. */
  enter(slot: Slot): void {
    const last = this.#slots.at(-1);
    // The one that read the clock first may write last, and clocks are set back.
    if (last === undefined || last.time <= slot.time) this.#slots.push(slot);
    else this.#slots.splice(this.#firstFrom(slot.time + 1), 0, slot);
    this.#size++;
    if (this.#slots.length > 2 * this.#size + 4096) this.#sweep();
  }

  /** The task has left this slot (`died` says when). */
  leave(slot: Slot): void {
    this.#size--;
    // What no walk has seen need not be left behind for one. What moves has mostly moved a moment ago.
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

  /** Whether a walk that began at this version can go on without losing anything. */
  remembers(version: number): boolean {
    return version >= this.#horizon;
  }

  /** The ids from `position` on, newest first, as they stood at its version. */
  *walk(position?: WalkPosition): Generator<{ id: string; time: number }> {
    const version = position?.version ?? this.#versions.latest;
    let index = position ? this.#indexOf(position) - 1 : this.#slots.length - 1;
    for (; index >= 0; index--) {
      const slot = this.#slots[index]!;
      if (stoodAt(version, slot)) yield slot;
    }
  }

  /** The slot that a position names. */
  #indexOf({ time, id, version }: WalkPosition): number {
    let index = this.#firstFrom(time);
    for (; index < this.#slots.length; index++) {
      const slot = this.#slots[index]!;
      if (slot.id === id && stoodAt(version, slot)) break;
    }
    return index;
  }

  /** The oldest slot that is not before `time`. */
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
    // Walks of the last few thousand changes keep their places; older ones are over, or start again.
    this.#horizon = this.#versions.latest - Math.max(2048, this.#size >> 1);
    this.#slots = this.#slots.filter(
      ({ born, died }) => died === 0 || (died > this.#horizon && born <= this.#walkedAt),
    );
  }
}

const stoodAt = (version: number, { born, died }: Slot): boolean => born <= version && (died === 0 || died > version);
