/** Lets so many through at a time; the others wait their turn. */
export class Slots {
  #free: number;
  #size: number;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  /** From now on no more than this many; those inside finish first. */
  shrinkTo(size: number): void {
    this.#free -= Math.max(0, this.#size - size);
    this.#size = Math.min(this.#size, size);
  }

  /** What is urgent goes before all that is not. */
  async run<T>(work: () => Promise<T>, urgent = false): Promise<T> {
    const queue = urgent ? this.#urgent : this.#waiting;
    if (this.#free <= 0) await new Promise<void>((resolve) => queue.push(resolve));
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      // The place goes straight to the next that waits, unless there are more places than there should be.
      const next = this.#free < 0 ? undefined : (this.#urgent.shift() ?? this.#waiting.shift());
      if (next) next();
      else this.#free += 1;
    }
  }
}
