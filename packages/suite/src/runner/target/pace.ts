import type { SlowedDown } from "../../report/trouble.ts";

/** Milliseconds between requests to an agent that rejected some: first and maximum. */
const gap = { first: 50, most: 1_000 };
/**
 * The gap is multiplied by these when a request is rejected or answered. It settles where seven of eight are answered,
 * so an agent that always rejects some does not stop the run.
 */
const factor = { slower: 1.2, quicker: 0.975 };

/** An agent with this many milliseconds between requests, or more, accepts so few that a run takes long. */
const slowMs = 200;

/** Weight of one request's gap in the reported rate. */
const share = 0.1;

/** Spreads requests over time: at most `perSecond`, and fewer to a busy agent. */
export class Pace {
  readonly #least: number;
  #gapMs: number;
  #next = 0;
  #turnedAway = 0;
  #status: number | undefined;
  /** milliseconds between requests while the agent was busy, as a moving average */
  #settledMs: number | undefined;

  constructor(perSecond: number | undefined) {
    this.#least = perSecond ? 1000 / perSecond : 0;
    this.#gapMs = this.#least;
  }

  /** The agent rejected a request, over HTTP with this status. */
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

  /** The agent rejects requests unless they are far apart. */
  get isSlow(): boolean {
    return this.#turnedAway > 0 && this.#gapMs >= slowMs;
  }

  /** Returns the milliseconds until the next request, and reserves that time for it. */
  turn(now: number): number {
    if (!this.#gapMs) return 0;
    if (this.#turnedAway && this.#gapMs > this.#least)
      this.#settledMs = this.#gapMs * share + (this.#settledMs ?? this.#gapMs) * (1 - share);
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    return at - now;
  }

  /** Returns the rejected requests and the rate after that; undefined if none was rejected. */
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
