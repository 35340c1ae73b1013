/** Between requests to an agent that turned us away, milliseconds: at first, and at most. */
const slow = { first: 100, most: 1_000 };
/** Answers that came well let us be a little quicker again. */
const quicker = 0.98;

/** Spreads requests over time: no more than `perSecond`, and fewer to an agent that is pressed. */
export class Pace {
  readonly #least: number;
  #gapMs: number;
  #next = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number | undefined) {
    this.#least = perSecond ? 1000 / perSecond : 0;
    this.#gapMs = this.#least;
  }

  /** The agent turned a request away. Those that were under way with it tell the same, once. */
  slowDown(now = performance.now()): void {
    if (now - this.#slowedAt < slow.most) return;
    this.#slowedAt = now;
    this.#gapMs = Math.max(this.#least, Math.min(Math.max(this.#gapMs * 2, slow.first), slow.most));
  }

  /** The agent answered. */
  speedUp(): void {
    const gap = this.#gapMs * quicker;
    this.#gapMs = gap < slow.first / 4 ? this.#least : Math.max(this.#least, gap);
  }

  async turn(sleep: (ms: number) => Promise<void>): Promise<void> {
    if (!this.#gapMs) return;
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    if (at > now) await sleep(at - now);
  }
}
