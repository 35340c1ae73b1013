import type { Ends } from "./ends.ts";

/** Longer than any network or busy machine delays a request. */
const patienceMs = 20_000;

/** Holds requests until all of them are at the agent, or until it is clear that they do not arrive together. */
export class Meeting {
  /** the highest number of requests that were there at once */
  most = 0;
  #present = 0;
  #isOver = false;
  readonly #ends: Ends;
  readonly #expected: number;

  constructor(ends: Ends, expected: number) {
    this.#ends = ends;
    this.#expected = expected;
  }

  async join(): Promise<void> {
    this.most = Math.max(this.most, ++this.#present);
    await this.#ends.waitFor(() => this.#isOver || this.most >= this.#expected, patienceMs);
    // Later requests do not wait again.
    this.end();
    this.#present--;
  }

  /** Stops waiting, for example because the gateway answered one of the requests itself. */
  end(): void {
    this.#isOver = true;
  }
}
