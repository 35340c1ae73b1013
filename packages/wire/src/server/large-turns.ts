/** Smaller requests need no turn. */
export const largeBytes = 64 * 1024;
/** After a large request, small ones have the server to themselves for this multiple of its duration. */
const rest = 4;
const longestRestMs = 1_000;

/**
 * Processes large requests one at a time, caller by caller, with a pause after each while there are small requests. A
 * large request blocks the server: parsing ten megabytes of brackets takes a quarter of a second. So large requests
 * cannot starve small ones.
 */
export class LargeTurns {
  /** by account, in the order of their turns */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;
  /** small requests arrived since the last turn */
  #hasOthers = false;

  /** Records a request that needs no turn. */
  small(): void {
    this.#hasOthers = true;
  }

  /**
   * Calls `go` when a request of this size may be processed; small ones at once. Returns a function that stops waiting.
   */
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
    // Queue again after the other callers.
    this.#waiting.delete(account);
    if (others.length > 0) this.#waiting.set(account, others);
    const before = process.cpuUsage();
    go!();
    // Its work has run before the next loop turn; meanwhile no other request was served.
    setImmediate(() => {
      const { user, system } = process.cpuUsage(before);
      const restMs = this.#hasOthers ? Math.min(longestRestMs, (rest * (user + system)) / 1_000) : 0;
      this.#hasOthers = false;
      setTimeout(this.#next, restMs);
    });
  };
}
