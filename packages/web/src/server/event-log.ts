/**
 * A log of past and future events. Every reader has its own position and reads at its own speed, so a slow reader
 * delays no other. Each event is kept once.
 */
export class EventLog<T> {
  readonly #items: T[] = [];
  readonly #most: number;
  /** the number of events that were dropped to make room */
  #dropped = 0;
  #ended = false;
  #news = signalled();

  /** `most`: the number of events to keep for late readers; new events replace the oldest */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  get ended(): boolean {
    return this.#ended;
  }

  add(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    if (this.#items.length > this.#most) {
      this.#items.shift();
      this.#dropped += 1;
    }
    this.#tell();
  }

  end(): void {
    this.#ended = true;
    this.#tell();
  }

  /** Yields the events from the nth on, then new ones, until the log or the signal ends. */
  async *read(signal: AbortSignal, from = 0): AsyncGenerator<T, void> {
    const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    for (let next = from; !signal.aborted; ) {
      const at = Math.max(next - this.#dropped, 0);
      if (at < this.#items.length) {
        next = this.#dropped + at + 1;
        yield this.#items[at]!;
      } else if (this.#ended) return;
      else await Promise.race([this.#news.promise, gone]);
    }
  }

  #tell(): void {
    const told = this.#news;
    this.#news = signalled();
    told.resolve();
  }
}

function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
