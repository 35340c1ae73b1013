/** Collects events from several sources for one reader, in order. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  push(event: T): void {
    this.#events.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const batch = this.#events.splice(0);
      yield* batch;
      if (batch.length) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
