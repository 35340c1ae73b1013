import type { Due } from "../../due.ts";

/**
 * How long to wait for what is due before it counts as absent, in milliseconds: from an agent of which nothing is known, or
 * that is slow; from one that answers quickly; from one that did not do the same before; and from one that did.
 */
const graceMs = { whole: 30_000, quick: 15_000, again: 5_000, known: 3_000 };

/** So often it has to have come before it is known how late it comes; what came once may come so many times later. */
const known = { times: 3, factor: 10 };

/** An agent is quick when nine of ten of its answers take no longer than this, of so many. */
const quick = { ms: 500, answers: 20, share: 0.9 };

interface Record {
  times: number;
  slowestMs: number;
  /** it was waited for in vain, for as long as it is fair to */
  isMissed: boolean;
}

/**
 * How late what is due comes from this agent, and so how long it is waited for. What it did in a moment again and again will
 * not take it half a minute; what it did not do in that time once, it does not do the next time. What the operator says
 * holds, whatever was seen.
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
    const within = this.#graceFor(record);
    const startedAt = performance.now();
    const seen = await wait(within);
    const took = performance.now() - startedAt;
    if (hasCome(seen)) {
      record.times += 1;
      record.slowestMs = Math.max(record.slowestMs, took);
    } else if (within >= graceMs.quick) record.isMissed = true;
    return seen;
  }

  #recordOf(key: string): Record {
    const record = this.#records.get(key) ?? { times: 0, slowestMs: 0, isMissed: false };
    this.#records.set(key, record);
    return record;
  }

  #graceFor({ times, slowestMs, isMissed }: Record): number {
    if (this.#fixed !== undefined) return this.#fixed;
    // However late it came once, it may come again, also where it did not come another time.
    const least = isMissed ? graceMs.again : graceMs.known;
    if (isMissed || times >= known.times) return Math.min(graceMs.whole, Math.max(least, slowestMs * known.factor));
    return this.#isQuick ? graceMs.quick : graceMs.whole;
  }

  get #isQuick(): boolean {
    return this.#answers >= quick.answers && this.#quickAnswers >= this.#answers * quick.share;
  }
}
