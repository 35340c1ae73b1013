import type { ServerResponse } from "node:http";
import type { Body } from "./body.ts";
import type { ServerContext } from "./context.ts";
import type { Departure } from "./departure.ts";
import { ResponseEventStream } from "./event-stream.ts";
import type { EventStream, WireReply } from "./handler.ts";
import { discardRest } from "./lingering.ts";
import type { Transit } from "./transit.ts";
import { WireError, type WireErrorCode } from "./wire-error.ts";

/** Alternating names and values. */
type HeaderList = string[];

const headerFaults = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN", "ERR_HTTP_INVALID_HEADER_VALUE"]);

/**
 * Writes the status line and headers, or nothing: a header that could split the response (CR, LF) or cannot be written
 * (other control characters, characters beyond Latin-1) makes it throw.
 */
function writeHead(response: ServerResponse, status: number, headers: HeaderList): void {
  try {
    response.writeHead(status, headers);
  } catch (error) {
    // Node keeps the reason phrase of the failed head and would use it in the next one.
    if (response.req.httpVersionMajor === 1) response.statusMessage = "";
    if (!isHeaderFault(error)) throw error;
    throw new WireError("invalid-header", `a response header cannot be written: ${error.message}`, { cause: error });
  }
}

/**
 * Returns headers as a list, because adding a header to a copied object is slow. Node then walks an object whose keys
 * V8 has not cached, which took a fifth of the time of a small response.
 */
function listHeaders(headers: Readonly<Record<string, string>>): HeaderList {
  const list: HeaderList = [];
  for (const name in headers) list.push(name, headers[name] ?? "");
  return list;
}

const isHeaderFault = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && headerFaults.has(String(error.code));

const eventStreamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  // Otherwise nginx buffers events until its buffer is full.
  "X-Accel-Buffering": "no",
};

/** Errors after which the rest of the body is still readable. */
const refusals: readonly WireErrorCode[] = ["body-too-large", "caller-budget", "total-budget"];

export class OutgoingReply implements WireReply {
  readonly raw: ServerResponse;
  readonly #body: Body;
  readonly #departure: Departure;
  readonly #transit: Transit;
  readonly #context: ServerContext;
  #complete = false;

  constructor(raw: ServerResponse, body: Body, departure: Departure, transit: Transit, context: ServerContext) {
    this.raw = raw;
    this.#body = body;
    this.#departure = departure;
    this.#transit = transit;
    this.#context = context;
  }

  /** The whole response is given, but may not be sent yet. */
  get isComplete(): boolean {
    return this.#complete || this.raw.writableEnded;
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
    const { raw } = this;
    if (raw.destroyed) return;
    const length = Buffer.byteLength(body);
    this.#transit.send(length);
    const { limits } = this.#context;
    const { failure, outstanding } = this.#body;
    const { draining, retiring } = this.#context;
    if (outstanding > limits.discardBytes || failure || draining || retiring) raw.shouldKeepAlive = false;
    // RFC 9110 §8.6: none with 204; with 304 it would be the length of the omitted body.
    const list = listHeaders(headers);
    if (status !== 204 && status !== 304) list.push("Content-Length", String(length));
    writeHead(raw, status, list);
    this.#complete = true;
    // After any other failure nothing more can be read.
    const readable = failure === undefined || refusals.includes(failure.code);
    if (outstanding > 0 && readable && !raw.shouldKeepAlive) {
      raw.flushHeaders();
      raw.write(body);
      discardRest(raw.req, limits, () => raw.end());
      this.#watchUnread();
    } else {
      this.#context.outbox.add(() => {
        raw.end(body);
        this.#watchUnread();
      });
    }
  }

  /** Gives up if the client leaves data unread for too long. */
  #watchUnread(): void {
    const { raw } = this;
    if (raw.writableLength > 0) raw.setTimeout(this.#context.limits.stalledMs, () => raw.destroy());
  }

  events(headers: Readonly<Record<string, string>> = {}): EventStream {
    const { raw } = this;
    const { streams, limits, draining, retiring, ending } = this.#context;
    if (ending) throw new WireError("shutting-down", "this server is shutting down");
    if (streams.size >= limits.streams) {
      throw new WireError("too-many-streams", `this server allows at most ${limits.streams} event streams`);
    }
    if (this.#body.failure || retiring || draining) raw.shouldKeepAlive = false;
    writeHead(raw, 200, listHeaders({ ...eventStreamHeaders, ...headers }));
    const stream = new ResponseEventStream(raw, this.#context, this.#departure, this.#transit.holding());
    if (raw.req.method === "HEAD" || raw.destroyed) stream.end();
    return stream;
  }
}
