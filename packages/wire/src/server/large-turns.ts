/** What is read in a moment needs no turn. */
export const largeBytes = 64 * 1024;
/** So many times as long as a large request took, small ones have the server for themselves before the next. */
const rest = 4;
const longestRestMs = 1_000;

/**
 * Requests that are large take the server for a while, most of all those that were made for it: parsing ten megabytes of brackets takes a
 * quarter of a second, and meanwhile nobody is served. They come one after the other, a caller after the other, and while there are small ones with a rest behind each.
 */
export class LargeTurns {
  /** by account, in the order of their turns */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;
  /** small requests came since the last turn */
  #hasOthers = false;

  /** A request came that needs no turn. */
  small(): void {
    this.#hasOthers = true;
  }

  /** Calls `go` when a request of this size may be worked on: small ones now. What it returns gives up waiting. */
  enter(account: string, bytes: number, go: () => void): () => void {
    if (bytes <= largeBytes) {
      this.small();
      go();
      return () => {};
    }
    const queue = this.#waiting.get(account);
    if (queue) queue.push(go);
    else this.#waiting.set(account, [go]);
    if (!this.#isTaken) this.#next();
    return () => this.#leave(account, go);
  }

  #leave(account: string, go: () => void): void {
    const queue = this.#waiting.get(account)?.filter((each) => each !== go) ?? [];
    if (queue.length > 0) this.#waiting.set(account, queue);
    else this.#waiting.delete(account);
  }

  readonly #next = (): void => {
    const [first] = this.#waiting;
    this.#isTaken = first !== undefined;
    if (!first) return;
    const [account, [go, ...others]] = first;
    // Behind those of the other callers.
    this.#waiting.delete(account);
    if (others.length > 0) this.#waiting.set(account, others);
    const before = process.cpuUsage();
    go!();
    // What it sets off has run before the loop turns: meanwhile nobody else was served.
    setImmediate(() => {
      const { user, system } = process.cpuUsage(before);
      const restMs = this.#hasOthers ? Math.min(longestRestMs, (rest * (user + system)) / 1_000) : 0;
      this.#hasOthers = false;
      setTimeout(this.#next, restMs);
    });
  };
}
