import { setTimeout as wait } from "node:timers/promises";
import type { Exchange } from "@assay/wire";

/** What may wait to be judged. More of it would take the memory of those whose traffic it is. */
const mostBytes = 64 * 1024 * 1024;
/** Nothing has passed for so long: there is time. */
const quietMs = 10;
/** So long the first may wait: whoever looks on wants to see it. */
const longestMs = 500;

interface Waiting {
  readonly exchange: Exchange;
  readonly weight: number;
  readonly since: number;
}

/**
 * Traffic first, judgement second: what has passed waits here until nothing is to be passed on, or until it has waited
 * long. What comes faster than it can be judged is not held up; it is counted, and said.
 */
export class JudgingQueue {
  readonly #judge: (exchange: Exchange) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #passedAt = 0;
  #isClosing = false;
  #work: Promise<void> | undefined;
  /** how many there was no room for */
  skipped = 0;
  /** how many could not be judged, because of an error of ours */
  failed = 0;

  constructor(judge: (exchange: Exchange) => Promise<void>) {
    this.#judge = judge;
  }

  /** Something passes at this moment. */
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
      // Behind whatever there is to be read and written.
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = this.#waiting;
      if (!next) break;
      if (this.#isBusy(next)) {
        await wait(quietMs);
        continue;
      }
      this.#waiting.shift();
      this.#bytes -= next.weight;
      // One that we stumble over takes nothing from the others.
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

  /** When everything is judged; nothing passes any more. */
  async drained(): Promise<void> {
    this.#isClosing = true;
    while (this.#work) await this.#work;
  }
}
