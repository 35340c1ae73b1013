/** Upper bounds in seconds: from a read in memory to a slow skill. */
const bounds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A histogram of durations. */
export class Histogram {
  readonly #counts = new Array<number>(bounds.length + 1).fill(0);
  #sum = 0;

  add(seconds: number): void {
    let index = 0;
    while (index < bounds.length && seconds > bounds[index]!) index++;
    this.#counts[index]!++;
    this.#sum += seconds;
  }

  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#counts.reduce((all, count) => all + count, 0);
  }

  /** Returns the cumulative count for each bound; the last bound is "+Inf". */
  cumulative(): [bound: string, count: number][] {
    let all = 0;
    return this.#counts.map((count, index) => {
      all += count;
      return [index < bounds.length ? String(bounds[index]) : "+Inf", all];
    });
  }
}
