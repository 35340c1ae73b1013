import { Slots } from "./slots.ts";

/** Parallel messages: first and maximum. */
export interface WorkloadSize {
  readonly first: number;
  readonly most: number;
}

/** A response is as fast as before within this factor and these milliseconds of the fastest of its kind. */
const asFast = { factor: 1.5, ms: 30 };
/** A slower response is a sign of an overloaded agent. */
const slowed = { factor: 2.5, ms: 150 };

/**
 * Controls how many messages the agent works on in parallel: one more with every response as fast as before. A slow
 * response halves the number. A rejection halves it and stops its growth.
 */
export class Workload {
  readonly #slots: Slots;
  readonly #size: WorkloadSize;
  /** milliseconds of the fastest response, by kind of message */
  readonly #fastest = new Map<string, number>();
  #grows = true;
  #isOver = false;

  constructor(size: WorkloadSize) {
    this.#size = size;
    this.#slots = new Slots(size.first);
  }

  /** current number of parallel messages */
  get size(): number {
    return this.#slots.size;
  }

  /** Waits for a place. Returns a function that frees it. */
  enter(urgent = false): Promise<() => void> {
    return this.#slots.enter(urgent);
  }

  /** Notes the response time of a message of this kind, or of the opening of its stream. */
  answered(kind: string, ms: number): void {
    const fastest = this.#compared(kind, ms);
    if (fastest !== undefined && ms <= Math.max(fastest * asFast.factor, fastest + asFast.ms)) this.#grow();
  }

  /** Notes the response time of a call without work. It can show overload, but not free capacity. */
  passed(kind: string, ms: number): void {
    this.#compared(kind, ms);
  }

  /** Compares with the fastest of this kind. If this one took much longer, the agent gets fewer messages. */
  #compared(kind: string, ms: number): number | undefined {
    const fastest = this.#fastest.get(kind);
    this.#fastest.set(kind, Math.min(ms, fastest ?? ms));
    // The response time under the initial load is normal for the agent, not a sign of overload.
    if (fastest !== undefined && ms > Math.max(fastest * slowed.factor, fastest + slowed.ms))
      this.#resize(Math.max(Math.min(this.size, this.#size.first), Math.floor(this.size / 2)));
    return fastest;
  }

  /** The agent rejected a request. */
  pressed(): void {
    this.#grows = false;
    this.#resize(Math.max(1, Math.floor(this.size / 2)));
  }

  /** The run ends: no caller waits any more. Later calls are aborted before they are sent. */
  end(): void {
    this.#isOver = true;
    this.#slots.resize(Number.POSITIVE_INFINITY);
  }

  #grow(): void {
    if (this.#grows && this.size < this.#size.most) this.#resize(this.size + 1);
  }

  #resize(size: number): void {
    if (!this.#isOver) this.#slots.resize(size);
  }
}
