/** Spreads requests over time: no more than `perSecond`. */
export class Pace {
  readonly #gapMs: number;
  #next = 0;

  constructor(perSecond: number | undefined) {
    this.#gapMs = perSecond ? 1000 / perSecond : 0;
  }

  async turn(sleep: (ms: number) => Promise<void>): Promise<void> {
    if (!this.#gapMs) return;
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    if (at > now) await sleep(at - now);
  }
}
