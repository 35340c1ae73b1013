import type { Due } from "../../define/target.ts";

/**
 * How long to wait for what is due before it counts as absent, in milliseconds: from an agent of which nothing is known, or
 * that is slow; from one that answers quickly; and from one that was seen not to do it.
 */
const graceMs = { whole: 30_000, quick: 15_000, quickWhenAsked: 8_000, missed: 5_000 };

/**
 * A list or a read that lags behind is asked for again and again, so a quick agent that would show it in the end has shown how
 * quick it is many times by then. What comes by itself may stand in a queue first.
 */
const isAskedFor = (due: Due): boolean => due === "list" || due === "read";

/** What came once so late may come so many times later. */
const lateness = 20;

/** An agent is quick when nine of ten of its answers take no longer than this, of so many. */
const quick = { ms: 500, answers: 20, share: 0.9 };

interface Record {
  slowestMs: number;
  /** it was waited for in vain, for as long as it is fair to */
  isMissed: boolean;
}

/**
 * How late what is due comes from this agent, and so how long it is waited for. A quick one needs no half minute for
 * it, and what an agent did not do in that time once, it does not do the next time: the first accusation rests on a long wait,
 * however punctual the agent was before, and the others cost little. What the operator says holds, whatever was seen.
 */
export class Punctuality {
  readonly #fixed: number | undefined;
  readonly #records = new Map<string, Record>();
  #answers = 0;
  #quickAnswers = 0;

  constructor(fixed: number | undefined) {
    this.#fixed = fixed;
  }

  /** Milliseconds to wait for something of which nothing is known. */
  get grace(): number {
    return this.#fixed ?? graceMs.whole;
  }

  /** A call that makes the agent work on nothing was answered so late. */
  answered(ms: number): void {
    this.#answers += 1;
    if (ms <= quick.ms) this.#quickAnswers += 1;
  }

  /** Waits for what is due at a place, as long as is fair, and remembers whether and when it came. */
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
