import type { SlowedDown } from "../../report/trouble.ts";

/** Milliseconds between requests to an agent that turned us away: at first, and at most. */
const gap = { first: 50, most: 1_000 };
/**
 * What the gap is multiplied with when a request is turned away, and when one is answered: it settles where seven of
 * eight are answered, so that an agent which turns away some of them at any pace is not waited for.
 */
const factor = { slower: 1.2, quicker: 0.975 };

/** How much the gap of one request counts for the rate that is told. */
const share = 0.1;

/** Spreads requests over time: no more than `perSecond`, and fewer to an agent that is pressed. */
export class Pace {
  readonly #least: number;
  #gapMs: number;
  #next = 0;
  #turnedAway = 0;
  #status: number | undefined;
  /** milliseconds between requests while the agent was pressed, those of the last ones first */
  #settledMs: number | undefined;

  constructor(perSecond: number | undefined) {
    this.#least = perSecond ? 1000 / perSecond : 0;
    this.#gapMs = this.#least;
  }

  /** The agent turned a request away, over HTTP with this status. */
  slowDown(status?: number): void {
    this.#turnedAway += 1;
    this.#status ??= status;
    const slower = Math.max(this.#gapMs * factor.slower, gap.first);
    this.#gapMs = Math.max(this.#least, Math.min(slower, gap.most));
  }

  /** The agent answered. */
  speedUp(): void {
    const quicker = this.#gapMs * factor.quicker;
    this.#gapMs = quicker < gap.first / 4 ? this.#least : Math.max(this.#least, quicker);
  }

  /** Milliseconds until the next request may be sent, which is then taken to be this one. */
  turn(now: number): number {
    if (!this.#gapMs) return 0;
    if (this.#turnedAway && this.#gapMs > this.#least)
      this.#settledMs = this.#gapMs * share + (this.#settledMs ?? this.#gapMs) * (1 - share);
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    return at - now;
  }

  /** What the agent turned away, and the rate that was kept after that; undefined where it took everything. */
  get slowedDown(): SlowedDown | undefined {
    if (!this.#turnedAway) return undefined;
    const gapMs = this.#settledMs ?? this.#gapMs;
    return {
      turnedAway: this.#turnedAway,
      ...(this.#status !== undefined && { status: this.#status }),
      requestsPerSecond: Math.round(10_000 / gapMs) / 10,
    };
  }
}
