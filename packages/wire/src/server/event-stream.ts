import type { ServerResponse } from "node:http";
import type { ServerContext } from "./context.ts";
import type { Departure } from "./departure.ts";
import type { EventStream } from "./handler.ts";
import type { Holding } from "./ledger.ts";
import type { OpenStream } from "./open-streams.ts";
import { WireError } from "./wire-error.ts";

/** Above this size, collecting more events saves few system calls. */
const flushAtLength = 16 * 1024;

/**
 * Server-sent events on one response whose head is written.
 *
 * Events of one turn of the event loop are written as one chunk at its end (`setImmediate`). A generator that yields a
 * thousand events in a row costs a few writes, and an event followed by a pause is sent at once. Unread data is
 * bounded: one socket buffer, one collected chunk, and the event that filled them.
 */
export class ResponseEventStream implements EventStream, OpenStream {
  quietTicks = 0;
  ahead: OpenStream | undefined;
  behind: OpenStream | undefined;
  readonly #response: ServerResponse;
  readonly #context: ServerContext;
  readonly #departure: Departure;
  /** data that the client has not read yet */
  readonly #backlog: Holding;
  #gathered = "";
  #flushing = false;
  #drain: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  #closed = false;
  #isLimited = false;

  constructor(response: ServerResponse, context: ServerContext, departure: Departure, backlog: Holding) {
    this.#response = response;
    this.#context = context;
    this.#departure = departure;
    this.#backlog = backlog;
    context.streams.add(this);
    response.on("close", () => this.#release());
    departure.addEventListener("abort", () => this.#cut());
    if (departure.aborted) this.#cut();
    // Writes at least the head, so that the client sees an open stream before the first event.
    this.#flushSoon();
  }

  get closed(): boolean {
    return this.#closed;
  }

  get signal(): AbortSignal {
    return this.#departure.signal;
  }

  send(data: string): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#gathered += `data: ${data}\n\n`;
    if (this.#drain) {
      if (this.#gathered.length > this.#context.limits.streamBacklogBytes) this.#stalled("too many unread events");
      else this.#hold(data.length);
    } else if (this.#gathered.length < flushAtLength) this.#flushSoon();
    else this.#flush();
    return this.#drain?.promise;
  }

  end(): void {
    if (this.#closed) return;
    this.#release();
    this.#response.end(this.#gathered);
    if (this.#response.writableLength > 0) this.#limitStalling();
  }

  shutDown(): void {
    this.end();
    this.#departure.announce(new WireError("shutting-down", "the server is shutting down"));
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(this.#flushGathered);
  }

  readonly #flushGathered = (): void => {
    this.#flushing = false;
    if (!this.#closed && !this.#drain) this.#flush();
  };

  #flush(): void {
    const events = this.#gathered;
    this.#gathered = "";
    this.quietTicks = 0;
    if (events === "") this.#response.flushHeaders();
    else if (!this.#response.write(events)) this.#awaitDrain();
  }

  #awaitDrain(): void {
    let resolve = () => {};
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#drain = { promise, resolve };
    this.#limitStalling();
    this.#hold(this.#response.writableLength);
  }

  /** Gives up if the client leaves data unread for too long. Few streams ever wait for their client. */
  #limitStalling(): void {
    if (!this.#isLimited) {
      this.#isLimited = true;
      this.#response.on("drain", () => this.#drained());
      // Node measures the time without write progress, not the time since the write began.
      this.#response.on("timeout", () => this.#stalled("the client did not read its data"));
    }
    this.#response.setTimeout(this.#context.limits.stalledMs);
  }

  #drained(): void {
    const waiting = this.#drain;
    if (!waiting || this.#closed) return;
    this.#drain = undefined;
    this.#backlog.release();
    this.#response.setTimeout(0);
    if (this.#gathered !== "") this.#flush();
    waiting.resolve();
  }

  keepAlive(): void {
    if (!this.#drain) this.#response.write(": keep-alive\n\n");
  }

  #hold(bytes: number): void {
    try {
      this.#backlog.charge(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#stalled(error.message);
    }
  }

  #stalled(why: string): void {
    this.#departure.announce(new WireError("stalled", `the connection was closed: ${why}`));
    // Also if it was announced before, because an ended stream may stall, too.
    this.#response.destroy();
  }

  #cut(): void {
    if (this.#closed) return;
    this.#release();
    this.#response.destroy();
  }

  /** Stops writing, and releases a writer that waits for the client. */
  #release(): void {
    this.#closed = true;
    this.#context.streams.delete(this);
    this.#backlog.release();
    this.#drain?.resolve();
  }
}
