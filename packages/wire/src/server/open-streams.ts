import { Queue, type Queued } from "./queue.ts";

/** Ticks of the shared timer in one period of silence. */
const ticks = 8;

/** An open stream that must not stay silent for long. */
export interface OpenStream extends Queued<OpenStream> {
  /** ticks since it last wrote something; it sets 0 with each write */
  quietTicks: number;
  keepAlive(): void;
  shutDown(): void;
}

/**
 * The open event streams of a server. One timer for all keeps the silent ones alive: a timer for each costs as much as
 * several events, and most streams end long before it.
 */
export class OpenStreams {
  readonly #tickMs: number;
  readonly #streams = new Queue<OpenStream>();
  #timer: NodeJS.Timeout | undefined;

  /** `silenceMs`: no stream stays silent for longer. */
  constructor(silenceMs: number) {
    this.#tickMs = silenceMs / ticks;
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(this.#tick, this.#tickMs).unref();
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream);
  }

  shutDown(): void {
    for (const stream of [...this.#streams]) stream.shutDown();
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
