/**
 * Records that a run must stop. Most skills never ask, and an AbortController costs more than the rest of a
 * short task, so it is created on first use.
 */
export class Cancellation {
  #controller: AbortController | undefined;
  #requested = false;

  get requested(): boolean {
    return this.#requested;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#requested) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  request(): void {
    this.#requested = true;
    this.#controller?.abort();
  }
}
