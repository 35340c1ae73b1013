import type { Due } from "../../define/target.ts";

/**
 * Milliseconds after which a due event counts as missing. They depend on the agent: unknown or slow, quick, or one that
 * has missed the event before.
 */
const graceMs = { whole: 30_000, quick: 15_000, quickWhenAsked: 8_000, missed: 5_000 };

/**
 * A lagging list or read is repeated many times, so a quick agent has many chances to show it. Other events may wait
 * in a queue first.
 */
const isAskedFor = (due: Due): boolean => due === "list" || due === "read";

/** An event that came late once may come this many times later. */
const lateness = 20;

/** An agent is quick if this share of its responses takes no longer than this. */
const quick = { ms: 500, answers: 20, share: 0.9 };

interface Record {
  slowestMs: number;
  /** Assay waited for it in vain, as long as is fair */
  isMissed: boolean;
}

/**
 * Learns how late the due events of this agent arrive, and how long to wait for them. A quick agent needs less time.
 * An event that was missing once is expected to be missing again: the first accusation needs a long wait, the others
 * little. An operator setting always wins.
 */
export class Punctuality {
  readonly #fixed: number | undefined;
  readonly #records = new Map<string, Record>();
  #answers = 0;
  #quickAnswers = 0;

  constructor(fixed: number | undefined) {
    this.#fixed = fixed;
  }

  /** Milliseconds to wait for an event without experience. */
  get grace(): number {
    return this.#fixed ?? graceMs.whole;
  }

  /** Notes the response time of a call without work. */
  answered(ms: number): void {
    this.#answers += 1;
    if (ms <= quick.ms) this.#quickAnswers += 1;
  }

  /** Waits for a due event as long as is fair, and remembers if and when it came. */
  async wait<T>(
    due: Due,
    place: string,
    wait: (withinMs: number) => Promise<T>,
    hasCome: (seen: T) => boolean,
  ): Promise<T> {
    const record = this.#recordOf(`${due} ${place}`);
    const within = this.#graceFor(due, record);
    const startedAt = performance.now();
    const seen = await wait(within);
    const took = performance.now() - startedAt;
    if (hasCome(seen)) record.slowestMs = Math.max(record.slowestMs, took);
    else if (within >= this.#patience(due)) record.isMissed = true;
    return seen;
  }

  #recordOf(key: string): Record {
    const record = this.#records.get(key) ?? { slowestMs: 0, isMissed: false };
    this.#records.set(key, record);
    return record;
  }

  #graceFor(due: Due, { slowestMs, isMissed }: Record): number {
    if (this.#fixed !== undefined) return this.#fixed;
    const least = isMissed ? graceMs.missed : this.#patience(due);
    return Math.min(graceMs.whole, Math.max(least, slowestMs * lateness));
  }

  #patience(due: Due): number {
    if (!this.#isQuick) return graceMs.whole;
    return isAskedFor(due) ? graceMs.quickWhenAsked : graceMs.quick;
  }

  get #isQuick(): boolean {
    return this.#answers >= quick.answers && this.#quickAnswers >= this.#answers * quick.share;
  }
}
