/** A place in the order of a walk: the status time, and the id that stood there. */
interface Slot {
  readonly id: string;
  time: number;
  /** versions between which the slot was the task's place */
  born: number;
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

/**
 * Tasks by their last status, newest first. A task that moves leaves its old slot behind for the walks
 * that began before: they find every task exactly once, where it stood when they began, however much
 * the order changes meanwhile. Old slots are swept when they outnumber the tasks, and walks that began
 * before what is left cannot go on.
 */
export class RecencyOrder {
  /** oldest first, so that moving to the front is a push */
  #slots: Slot[] = [];
  readonly #live = new Map<string, Slot>();
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
    return this.#live.size;
  }

  /** Where a walk begins: what stands here now is kept for it. */
  begin(): number {
    this.#walkedAt = this.#versions.latest;
    return this.#walkedAt;
  }

  /** Moves the task to where `time` belongs: nearly always the front. */
  touch(id: string, time: number): void {
    const last = this.#slots.at(-1);
    // A task that is in front already, and that no walk has seen there, need not leave a place behind.
    if (last?.id === id && last.born > this.#walkedAt && last.died === Number.POSITIVE_INFINITY && last.time <= time) {
      last.time = time;
      last.born = ++this.#versions.latest;
      return;
    }
    this.#bury(id);
    const slot = { id, time, born: ++this.#versions.latest, died: Number.POSITIVE_INFINITY };
    // The one that read the clock first may write last, and clocks are set back.
    if ((this.#slots.at(-1)?.time ?? time) <= time) this.#slots.push(slot);
    else this.#slots.splice(this.#firstFrom(time + 1), 0, slot);
    this.#live.set(id, slot);
    if (this.#slots.length > 2 * this.#live.size + 4096) this.#sweep();
  }

  remove(id: string): void {
    this.#bury(id);
    this.#live.delete(id);
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
      if (slot.born <= version && slot.died > version) yield slot;
    }
  }

  #bury(id: string): void {
    const slot = this.#live.get(id);
    if (!slot) return;
    // What no walk has seen need not be left behind for one.
    if (slot === this.#slots.at(-1) && slot.born > this.#walkedAt) this.#slots.pop();
    slot.died = ++this.#versions.latest;
  }

  /** The slot that a position names. */
  #indexOf({ time, id, version }: WalkPosition): number {
    let index = this.#firstFrom(time);
    for (; index < this.#slots.length; index++) {
      const slot = this.#slots[index]!;
      if (slot.id === id && slot.born <= version && slot.died > version) break;
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
    this.#horizon = this.#versions.latest - Math.max(2048, this.#live.size >> 1);
    this.#slots = this.#slots.filter((slot) => slot.died > this.#horizon);
  }
}
