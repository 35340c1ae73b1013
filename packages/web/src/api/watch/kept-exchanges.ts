import type { ExchangeRecorded } from "@assay/suite/report";

/** Number of recent exchanges, and of recent breaches, that the page can still show. */
const most = 1_000;

/** A watch may go on for days, and not all that crosses can be kept. */
export class KeptExchanges {
  readonly #last = new Map<string, ExchangeRecorded>();
  readonly #telling = new Map<string, ExchangeRecorded>();

  add(exchange: ExchangeRecorded): void {
    this.#last.set(exchange.id, exchange);
    dropOldest(this.#last);
  }

  /** An exchange that shows a breach stays longer. */
  mark(id: string): void {
    const exchange = this.#last.get(id);
    if (!exchange) return;
    this.#telling.set(id, exchange);
    dropOldest(this.#telling);
  }

  get(id: string): ExchangeRecorded | undefined {
    return this.#last.get(id) ?? this.#telling.get(id);
  }

  /** in the order in which they were over */
  get all(): readonly ExchangeRecorded[] {
    const early = [...this.#telling.values()].filter(({ id }) => !this.#last.has(id));
    return [...early, ...this.#last.values()];
  }

  clear(): void {
    this.#last.clear();
    this.#telling.clear();
  }
}

function dropOldest(kept: Map<string, unknown>): void {
  if (kept.size > most) kept.delete(kept.keys().next().value!);
}
