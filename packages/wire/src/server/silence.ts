/** Ticks of the shared timer in one period of silence. */
const ticks = 8;

/** An open stream that must not stay silent for long. */
export interface SilentStream {
  /** ticks since it last wrote something; it sets 0 with each write */
  quietTicks: number;
  keepAlive(): void;
}

/**
 * Keeps silent streams alive with one timer for all. A timer for each stream costs as much as several events, and most
 * streams end long before it.
 */
export class Silence {
  readonly #tickMs: number;
  readonly #streams = new Set<SilentStream>();
  #timer: NodeJS.Timeout | undefined;

  /** `longestMs`: no stream stays silent for longer. */
  constructor(longestMs: number) {
    this.#tickMs = longestMs / ticks;
  }

  add(stream: SilentStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(this.#tick, this.#tickMs).unref();
  }

  delete(stream: SilentStream): void {
    this.#streams.delete(stream);
  }

  readonly #tick = (): void => {
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const stream of this.#streams) {
      stream.quietTicks++;
      if (stream.quietTicks < ticks) continue;
      stream.quietTicks = 0;
      stream.keepAlive();
    }
  };
}
