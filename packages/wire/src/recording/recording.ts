import type { Exchange } from "./exchange.ts";
import { trim, weigh } from "./trim.ts";

const MiB = 1024 * 1024;

export interface RecordingOptions {
  readonly bytesPerExchange?: number;
  readonly bytesPerRun?: number;
  /** Gives the ids, where several recordings are parts of one. */
  readonly issueId?: () => string;
  /** Whether finished exchanges stay in memory, or are only handed to the listeners. */
  readonly keep?: boolean;
  /** How many ids were issued before, by another recording that this one goes on with. */
  readonly issued?: number;
}

/**
 * All exchanges of one run, with stable ids.
 *
 * What a client hands back is always whole; what is recorded is cut to the caps, and every cut is flagged on the
 * exchange. So a verdict never depends on how much room the recording had left.
 */
export class Recording {
  readonly bytesPerExchange: number;
  readonly #keep: boolean;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  #bytesLeft: number;
  #bytesDropped = 0;
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

  /** The id of the next exchange: `x1`, `x2`, … in the order the requests were started. */
  issueId(): string {
    if (this.#issueId) return this.#issueId();
    this.#issued += 1;
    return `x${this.#issued}`;
  }

  finish(exchange: Exchange): void {
    const kept = trim(exchange, Math.min(this.bytesPerExchange, this.#bytesLeft));
    const weight = weigh(kept);
    this.#bytesLeft -= weight;
    this.#bytesDropped += weigh(exchange) - weight;
    if (this.#keep) this.#exchanges.set(kept.id, kept);
    for (const listener of this.#listeners) listener(kept);
  }

  /** Finished exchanges, in the order they finished. */
  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  get(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  /** Bytes that were seen but not recorded, so that a report can say so. */
  get bytesDropped(): number {
    return this.#bytesDropped;
  }

  /** Calls `listener` with each exchange as it finishes; returns the way to stop that. */
  onExchange(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
