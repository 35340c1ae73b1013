import type { Sight } from "@assay/proxy";
import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import type { WatchDocument, WatchEvent } from "@assay/viewer/documents";
import type { BegunExchange } from "@assay/wire";
import { EventLog } from "../../server/event-log.ts";

/** Number of recent exchanges, and of recent breaches, that the page can still show. */
const most = 1_000;

/** The recent exchanges. A watch may run for days, so Assay cannot keep all of them. */
class KeptExchanges {
  readonly #last = new Map<string, ExchangeRecorded>();
  readonly #telling = new Map<string, ExchangeRecorded>();

  add(exchange: ExchangeRecorded): void {
    this.#last.set(exchange.id, exchange);
    dropOldest(this.#last);
  }

  /** Keeps an exchange with a breach for longer. */
  mark(id: string): void {
    const exchange = this.#last.get(id);
    if (!exchange) return;
    this.#telling.set(id, exchange);
    dropOldest(this.#telling);
  }

  get(id: string): ExchangeRecorded | undefined {
    return this.#last.get(id) ?? this.#telling.get(id);
  }

  /** all kept exchanges, in the order in which they ended */
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

/** The number of events that a page receives if it connects late. */
const mostEvents = 10_000;

/** The watched traffic of one proxy or test bed. */
export class Watch {
  readonly log = new EventLog<WatchEvent>(mostEvents);
  readonly exchanges = new KeptExchanges();
  readonly #began = performance.now();
  #document: WatchDocument | undefined;
  #close: () => Promise<void> = async () => {};

  /** Adds the document of the watch, once its port is open. */
  opened(document: WatchDocument, close: () => Promise<void>): this {
    this.#document = document;
    this.#close = close;
    return this;
  }

  get document(): WatchDocument {
    return this.#document!;
  }

  /** milliseconds since the watch started */
  get now(): number {
    return performance.now() - this.#began;
  }

  begun({ id, method, url }: BegunExchange): void {
    this.log.add({ is: "begun", id, at: this.now, method, path: new URL(url).pathname });
  }

  record(event: RunEvent): void {
    if (event.event === "exchange") this.exchanges.add(event);
  }

  show(sight: Sight): void {
    if (sight.is === "call" && sight.breaches.length > 0) this.exchanges.mark(sight.id);
    this.log.add(sight);
  }

  async close(): Promise<void> {
    await this.#close();
    this.log.end();
  }
}
