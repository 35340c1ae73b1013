import { Slots } from "./slots.ts";

/** Messages at a time: at first, and at most. */
export interface WorkloadSize {
  readonly first: number;
  readonly most: number;
}

/** An answer is as fast as before within this factor and these milliseconds of the fastest of its kind. */
const asFast = { factor: 1.5, ms: 30 };
/** Beyond these it is a sign that the agent has too much to do. */
const slowed = { factor: 2.5, ms: 150 };

/**
 * How many messages the agent works on at a time: one more with every answer that comes as fast as those of its kind came
 * before. One that is slow halves it; where the agent turns us away, it is halved and does not grow again.
 */
export class Workload {
  readonly #slots: Slots;
  readonly #size: WorkloadSize;
  /** milliseconds of the fastest answer, by kind of message */
  readonly #fastest = new Map<string, number>();
  #grows = true;
  #isOver = false;

  constructor(size: WorkloadSize) {
    this.#size = size;
    this.#slots = new Slots(size.first);
  }

  /** messages at a time, now */
  get size(): number {
    return this.#slots.size;
  }

  /** Waits for a place; what it returns gives it back. */
  enter(urgent = false): Promise<() => void> {
    return this.#slots.enter(urgent);
  }

  /** A message of this kind was answered, or its stream opened, after so many milliseconds. */
  answered(kind: string, ms: number): void {
    const fastest = this.#compared(kind, ms);
    if (fastest !== undefined && ms <= Math.max(fastest * asFast.factor, fastest + asFast.ms)) this.#grow();
  }

  /** The same for a call on which the agent does not work: it tells of too much work, not of room for more. */
  passed(kind: string, ms: number): void {
    this.#compared(kind, ms);
  }

  /** What the fastest of this kind took before; where this one took much longer, the agent has less to do from now on. */
  #compared(kind: string, ms: number): number | undefined {
    const fastest = this.#fastest.get(kind);
    this.#fastest.set(kind, Math.min(ms, fastest ?? ms));
    // As slow as those make it that it began with is how the agent is, not a sign that we ask too much.
    if (fastest !== undefined && ms > Math.max(fastest * slowed.factor, fastest + slowed.ms))
      this.#resize(Math.max(Math.min(this.size, this.#size.first), Math.floor(this.size / 2)));
    return fastest;
  }

  /** The agent turned us away. */
  pressed(): void {
    this.#grows = false;
    this.#resize(Math.max(1, Math.floor(this.size / 2)));
  }

  /** The run ends: nobody waits for a place any more. Calls made from now on are aborted before they are sent. */
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
