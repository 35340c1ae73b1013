/** A place in the order of a walk: the status time, and the id that stood there. */
interface Slot {
  readonly id: string;
  readonly time: number;
  /** versions of the order between which the slot was the task's place */
  readonly born: number;
  died: number;
}

/** Where a walk stands: the version it began at, and the last slot it showed. */
export interface WalkPosition {
  readonly version: number;
  readonly time: number;
  readonly id: string;
}

/**
 * Tasks by their last status, newest first. A task that moves leaves its old slot behind for the walks
 * that began before: they find every task exactly once, where it stood when they began, however much
 * the order changes meanwhile. Old slots are swept when they outnumber the tasks.
 */
export class RecencyOrder {
  /** oldest first, so that moving to the front is a push */
  #slots: Slot[] = [];
  readonly #live = new Map<string, Slot>();
  #version = 0;

  get size(): number {
    return this.#live.size;
  }

  get version(): number {
    return this.#version;
  }

  /** Moves the task to the front. Times never go backwards, whatever the clock does. */
  touch(id: string, time: number): void {
    const newest = this.#slots.at(-1);
    this.#bury(id);
    const slot = { id, time: Math.max(time, newest?.time ?? 0), born: ++this.#version, died: Number.POSITIVE_INFINITY };
    this.#slots.push(slot);
    this.#live.set(id, slot);
    if (this.#slots.length > 2 * this.#live.size + 4096) this.#sweep();
  }

  remove(id: string): void {
    this.#bury(id);
    this.#live.delete(id);
  }

  /** The ids from `position` on, newest first, as they stood at its version. */
  *walk(position?: WalkPosition): Generator<{ id: string; time: number }> {
    const version = position?.version ?? this.#version;
    let index = position ? this.#indexOf(position) - 1 : this.#slots.length - 1;
    for (; index >= 0; index--) {
      const slot = this.#slots[index]!;
      if (slot.born <= version && slot.died > version) yield slot;
    }
  }

  #bury(id: string): void {
    const slot = this.#live.get(id);
    if (slot) slot.died = ++this.#version;
  }

  /** The slot a position names, or the first one behind it in time when it has been swept. */
  #indexOf({ time, id, version }: WalkPosition): number {
    let low = 0;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#slots[middle]!.time < time) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.#slots.length && this.#slots[index]!.time === time; index++) {
      const slot = this.#slots[index]!;
      if (slot.id === id && slot.born <= version && slot.died > version) return index;
    }
    return low;
  }

  #sweep(): void {
    // Walks of the last few thousand changes keep their places; older ones are over, or start again.
    const horizon = this.#version - Math.max(2048, this.#live.size >> 1);
    this.#slots = this.#slots.filter((slot) => slot.died > horizon);
  }
}
