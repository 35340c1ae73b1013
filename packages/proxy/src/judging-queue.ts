import { setTimeout as wait } from "node:timers/promises";
import type { Exchange } from "@assay/wire";

/** Maximum bytes waiting to be judged. More would take memory from the traffic itself. */
const mostBytes = 64 * 1024 * 1024;
/** The connection counts as idle after this time without traffic. */
const quietMs = 10;
/** Maximum wait of an exchange, so that viewers see it soon. */
const longestMs = 500;

interface Waiting {
  readonly exchange: Exchange;
  readonly weight: number;
  readonly since: number;
}

/**
 * Judges exchanges after the traffic: they wait until nothing needs forwarding, or until they have waited long. Traffic
 * is never slowed down. Exchanges that arrive faster than they can be judged are counted and reported.
 */
export class JudgingQueue {
  readonly #judge: (exchange: Exchange) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #passedAt = 0;
  #isClosing = false;
  #work: Promise<void> | undefined;
  /** number of exchanges that did not fit */
  skipped = 0;
  /** number of exchanges that failed with an internal error */
  failed = 0;

  constructor(judge: (exchange: Exchange) => Promise<void>) {
    this.#judge = judge;
  }

  /** Records that traffic is passing now. */
  passing(): void {
    this.#passedAt = performance.now();
  }

  add(exchange: Exchange): void {
    const { request, response } = exchange.http;
    const weight = request.body.length + 2 * (response?.body.length ?? 0) + 4_096;
    if (this.#bytes + weight > mostBytes && this.#waiting.length) {
      this.skipped += 1;
      return;
    }
    this.#bytes += weight;
    this.#waiting.push({ exchange, weight, since: performance.now() });
    this.#work ??= this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      // Run after all pending reads and writes.
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = this.#waiting;
      if (!next) break;
      if (this.#isBusy(next)) {
        await wait(quietMs);
        continue;
      }
      this.#waiting.shift();
      this.#bytes -= next.weight;
      // An internal error on one exchange must not affect the others.
      await this.#judge(next.exchange).catch(() => {
        this.failed += 1;
      });
    }
    this.#work = undefined;
  }

  #isBusy({ since }: Waiting): boolean {
    const now = performance.now();
    return !this.#isClosing && now - this.#passedAt < quietMs && now - since < longestMs && this.#bytes < mostBytes / 2;
  }

  /** Resolves when everything is judged. Call it after traffic has stopped. */
  async drained(): Promise<void> {
    this.#isClosing = true;
    while (this.#work) await this.#work;
  }
}
