/**
 * Answers that become ready in one turn of the event loop leave together at its end.
 *
 * Writing each at once wakes a client on the same machine for every single one, and the waking costs both
 * sides more than the answer: together, a busy server answers half as many requests again. An answer that is
 * alone leaves as soon as the turn is over, microseconds later.
 */
export class Outbox {
  readonly #together: boolean;
  #ready: (() => void)[] = [];

  /** `together`: false lets each answer leave at once. */
  constructor(together: boolean) {
    this.#together = together;
  }

  add(send: () => void): void {
    if (!this.#together) send();
    else if (this.#ready.push(send) === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const send of ready) send();
  };
}
