/** How long the store may take to answer before a balancer should send clients elsewhere. */
const patienceMs = 2_000;
/** Probes that come at once share an answer: they must not become the load they ask about. */
const freshMs = 500;

/** Whether requests should be sent here. */
export class Readiness {
  readonly #storeAnswers: () => Promise<unknown>;
  #isLeaving = false;
  #last: { readonly at: number; readonly trouble: Promise<string | undefined> } | undefined;

  /** `storeAnswers` rejects where the store is unreachable or read-only. */
  constructor(storeAnswers: () => Promise<unknown>) {
    this.#storeAnswers = storeAnswers;
  }

  /** From now on clients should go elsewhere. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Why not; undefined where all is well. */
  trouble(): Promise<string | undefined> {
    if (this.#isLeaving) return Promise.resolve("shutting down");
    const now = performance.now();
    if (!this.#last || now - this.#last.at > freshMs) this.#last = { at: now, trouble: this.#askStore() };
    return this.#last.trouble;
  }

  /** What went wrong stands in the log: here it could name a host or a user. */
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
