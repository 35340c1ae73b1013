import { setMaxListeners } from "node:events";

/** Collects events from several sources for one reader, in order. */
class EventQueue<T> implements AsyncIterable<T> {
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
      // One at a time: a slow reader must not keep the events that it has read.
      while (this.#events.length) yield this.#events.shift()!;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}

/** Does some work and yields its events. When the reader stops, the work is stopped and awaited. */
export async function* eventsOf<T>(
  stop: AbortSignal | undefined,
  work: (emit: (event: T) => void, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const queue = new EventQueue<T>();
  const abandoned = new AbortController();
  const signal = stop ? AbortSignal.any([stop, abandoned.signal]) : abandoned.signal;
  // Every call, pause and command listens to the signal. Many listeners are not a leak here.
  setMaxListeners(0, signal);
  const working = work((event) => queue.push(event), signal).finally(() => queue.end());
  // Thrown below, after the reader has received all earlier events.
  working.catch(() => {});
  try {
    yield* queue;
    await working;
  } finally {
    abandoned.abort();
    await working.catch(() => {});
  }
}
