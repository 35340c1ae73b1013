/** Lets a limited number through at a time; the others wait. */
export class Slots {
  #size: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Changes the number. If it shrinks, those inside finish first. */
  resize(size: number): void {
    this.#size = size;
    this.#admit();
  }

  /** Waits for a place, urgent callers first. Returns a function that frees it. */
  async enter(urgent = false): Promise<() => void> {
    await new Promise<void>((resolve) => {
      (urgent ? this.#urgent : this.#waiting).push(resolve);
      this.#admit();
    });
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      this.#admit();
    };
  }

  async run<T>(work: () => Promise<T>, urgent = false): Promise<T> {
    const leave = await this.enter(urgent);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #admit(): void {
    while (this.#inside < this.#size) {
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (!next) return;
      this.#inside += 1;
      next();
    }
  }
}
