/** Maximum response time of the store. If it is slower, a load balancer should send clients elsewhere. */
const patienceMs = 2_000;
/** Simultaneous probes share a result, so that they do not become load themselves. */
const freshMs = 500;

/** Reports whether this server should receive requests. */
export class Readiness {
  readonly #storeAnswers: () => Promise<unknown>;
  #isLeaving = false;
  #last: { readonly at: number; readonly trouble: Promise<string | undefined> } | undefined;

  /** `storeAnswers` rejects if the store is unreachable or read-only. */
  constructor(storeAnswers: () => Promise<unknown>) {
    this.#storeAnswers = storeAnswers;
  }

  /** Reports not ready from now on. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Returns the reason why it is not ready; undefined if it is. */
  trouble(): Promise<string | undefined> {
    if (this.#isLeaving) return Promise.resolve("shutting down");
    const now = performance.now();
    if (!this.#last || now - this.#last.at > freshMs) this.#last = { at: now, trouble: this.#askStore() };
    return this.#last.trouble;
  }

  /** The reason is only in the log, because it could name a host or a user. */
  #askStore(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve("the store does not respond in time"), patienceMs);
      const settle = (trouble: string | undefined) => {
        clearTimeout(late);
        resolve(trouble);
      };
      this.#storeAnswers().then(
        () => settle(undefined),
        () => settle("the store is unreachable or read-only"),
      );
    });
  }
}
