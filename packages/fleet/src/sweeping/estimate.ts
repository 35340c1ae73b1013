/** How far a sweep is at one moment. */
interface Mark {
  readonly at: number;
  readonly settled: number;
}

/** Older results say nothing about the current speed. */
const windowMs = 5 * 60_000;

/** Says how long a sweep will take, from how fast it went of late; nothing before it has got anywhere. */
export class Estimate {
  readonly #marks: Mark[] = [];

  mark(at: number, settled: number): void {
    this.#marks.push({ at, settled });
    while (this.#marks.length > 2 && this.#marks[1]!.at <= at - windowMs) this.#marks.shift();
  }

  /** agents in a minute */
  get perMinute(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (!first || !last || last.settled <= first.settled) return undefined;
    return ((last.settled - first.settled) / (last.at - first.at)) * 60_000;
  }

  /** milliseconds until this many agents have a verdict */
  left(agents: number): number | undefined {
    const { perMinute } = this;
    const settled = this.#marks.at(-1)?.settled ?? 0;
    return perMinute === undefined ? undefined : ((agents - settled) / perMinute) * 60_000;
  }
}
