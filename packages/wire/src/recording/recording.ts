import type { Exchange } from "./exchange.ts";
import { trim, weigh } from "./trim.ts";

const MiB = 1024 * 1024;

export interface RecordingOptions {
  readonly bytesPerExchange?: number;
  readonly bytesPerRun?: number;
  /** Issues ids, if several recordings belong together. */
  readonly issueId?: () => string;
  /** Keeps finished exchanges in memory; otherwise only listeners get them. */
  readonly keep?: boolean;
  /** Number of ids already issued by a recording that this one continues. */
  readonly issued?: number;
}

/**
 * All exchanges of one run, with stable ids.
 *
 * Clients always return complete exchanges; the recorded copy is cut to the limits, and every cut is flagged. So a
 * verdict never depends on the space left in the recording.
 */
export class Recording {
  readonly bytesPerExchange: number;
  readonly #keep: boolean;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  #bytesLeft: number;
  #issued: number;
  readonly #issueId: (() => string) | undefined;

  constructor({
    bytesPerExchange = 4 * MiB,
    bytesPerRun = 256 * MiB,
    keep = true,
    issued = 0,
    issueId,
  }: RecordingOptions = {}) {
    this.#issueId = issueId;
    this.bytesPerExchange = bytesPerExchange;
    this.#bytesLeft = bytesPerRun;
    this.#keep = keep;
    this.#issued = issued;
  }

  /** Issues the next id: `x1`, `x2`, … in the order of request starts. */
  issueId(): string {
    if (this.#issueId) return this.#issueId();
    this.#issued += 1;
    return `x${this.#issued}`;
  }

  finish(exchange: Exchange): void {
    const kept = trim(exchange, Math.min(this.bytesPerExchange, this.#bytesLeft));
    this.#bytesLeft -= weigh(kept);
    if (this.#keep) this.#exchanges.set(kept.id, kept);
    for (const listener of this.#listeners) listener(kept);
  }

  /** Finished exchanges, in the order in which they finished. */
  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  get(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  /** Calls `listener` with each finished exchange. Returns a function that stops it. */
  onExchange(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
