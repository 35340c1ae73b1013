import { streamBodyBytes } from "./limits.ts";

/** A response above this size is large. */
export const largeBytes = streamBodyBytes;
/** Maximum wait of one large response for another: two streams of one peer may wait for each other. */
const longestWaitMs = 10_000;

/** A place in the queue of large responses. */
export interface LargeTurn {
  /** when reading may continue; missing if immediately */
  readonly ready?: Promise<void>;
  leave(): void;
}

/**
 * Reads one large response of a peer at a time, while the others wait on their sockets. So memory holds about one
 * response, however many are requested. After one stream was too large, later streams of this peer get a lower limit.
 */
export class LargeAnswers {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  /** a stream exceeded the limit */
  hasOverflowed = false;

  /** Takes a place, and waits for it no longer than half the idle timeout. */
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
