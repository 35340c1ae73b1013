import type { Sight } from "@assay/proxy";
import type { RunEvent } from "@assay/suite/report";
import type { WatchDocument, WatchEvent } from "@assay/viewer/documents";
import type { BegunExchange } from "@assay/wire";
import { EventLog } from "../../server/event-log.ts";
import { KeptExchanges } from "./kept-exchanges.ts";

/** Number of events that a page opened late receives. */
const mostEvents = 10_000;

/** The exchanges at one place, for pages that watch it. */
export class Watch {
  readonly log = new EventLog<WatchEvent>(mostEvents);
  readonly exchanges = new KeptExchanges();
  readonly #began = performance.now();
  #document: WatchDocument | undefined;
  #close: () => Promise<void> = async () => {};

  /** A watched place, once it listens. */
  opened(document: WatchDocument, close: () => Promise<void>): this {
    this.#document = document;
    this.#close = close;
    return this;
  }

  get document(): WatchDocument {
    return this.#document!;
  }

  /** milliseconds since the watching began */
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
