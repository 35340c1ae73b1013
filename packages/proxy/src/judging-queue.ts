import type { Exchange } from "@assay/wire";

/** What may wait to be judged. More of it would take the memory of those whose traffic it is. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Traffic first, judgement second: what has passed waits here until nothing is to be passed on. What comes faster than it
 * can be judged is not held up; it is counted, and said.
 */
export class JudgingQueue {
  readonly #judge: (exchange: Exchange) => Promise<void>;
  readonly #waiting: { readonly exchange: Exchange; readonly weight: number }[] = [];
  #bytes = 0;
  #work: Promise<void> | undefined;
  /** how many there was no room for */
  skipped = 0;

  constructor(judge: (exchange: Exchange) => Promise<void>) {
    this.#judge = judge;
  }

  add(exchange: Exchange): void {
    const { request, response } = exchange.http;
    const weight = request.body.length + 2 * (response?.body.length ?? 0) + 4_096;
    if (this.#bytes + weight > mostBytes && this.#waiting.length) {
      this.skipped += 1;
      return;
    }
    this.#bytes += weight;
    this.#waiting.push({ exchange, weight });
    this.#work ??= this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      // Behind whatever there is to be read and written.
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#waiting.shift();
      if (!next) break;
      this.#bytes -= next.weight;
      await this.#judge(next.exchange);
    }
    this.#work = undefined;
  }

  /** When everything is judged. */
  async drained(): Promise<void> {
    while (this.#work) await this.#work;
  }
}
