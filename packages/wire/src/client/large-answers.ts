import { streamBodyBytes } from "./limits.ts";

/** An answer beyond this size is large. */
export const largeBytes = streamBodyBytes;
/** How long one large answer waits for another: two streams of one peer may wait for each other. */
const longestWaitMs = 10_000;

/** A place among the large answers. */
export interface LargeTurn {
  /** when it may be read on; absent where that is at once */
  readonly ready?: Promise<void>;
  leave(): void;
}

/**
 * Has one large answer of a peer read at a time, the others wait on their sockets. What is in memory at once is then about one
 * answer, however many are asked for. A peer whose stream was too large once is not read that far again.
 */
export class LargeAnswers {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  /** a stream went beyond the limit */
  hasOverflowed = false;

  /** Takes a place, and waits for it no longer than silence may last. */
  enter(idleMs: number): LargeTurn {
    const waitMs = Math.min(idleMs / 2, longestWaitMs);
    if (!this.#isTaken) {
      this.#isTaken = true;
      return { leave: () => this.#next() };
    }
    let isMine = false;
    let onTurn = (): void => {};
    const ready = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#drop(onTurn);
        resolve();
      }, waitMs);
      timer.unref();
      onTurn = () => {
        clearTimeout(timer);
        isMine = true;
        resolve();
      };
      this.#waiting.push(onTurn);
    });
    return {
      ready,
      leave: () => {
        if (isMine) return this.#next();
        this.#drop(onTurn);
      },
    };
  }

  #drop(waiting: () => void): void {
    const place = this.#waiting.indexOf(waiting);
    if (place !== -1) this.#waiting.splice(place, 1);
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    next?.();
  }
}
