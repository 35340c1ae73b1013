import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { ServerContext } from "../server/context.ts";
import { BudgetExceeded, type Holding } from "../server/ledger.ts";
import type { ServerLimits } from "../server/limits.ts";
import { Transit } from "../server/transit.ts";
import type { GrpcCall } from "./call.ts";
import { FrameError, FrameReader, frame } from "./frame.ts";
import { encodeStatusMessage } from "./status-message.ts";
import { timeoutOf } from "./timeout.ts";

const deadlineExceeded = 4;
const maxTimerMs = 2 ** 31 - 1;

/** A call on one HTTP/2 stream: framing, deadline, trailers. */
export class ServerCall implements GrpcCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly host: string;
  readonly secure: boolean;
  readonly remoteAddress: string;
  readonly messages: AsyncIterable<Buffer>;
  readonly raw: ServerHttp2Stream;
  readonly #limits: ServerLimits;
  readonly #transit: Transit;
  readonly #controller = new AbortController();
  #deadline: NodeJS.Timeout | undefined;
  #metadata: Readonly<Record<string, string>> = {};
  #ended = false;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    { limits, secure, ledger }: Pick<ServerContext, "limits" | "secure" | "ledger">,
  ) {
    this.raw = stream;
    this.#limits = limits;
    this.headers = headers;
    this.path = headers[":path"] ?? "";
    this.host = headers[":authority"] ?? headers.host ?? "";
    this.secure = secure;
    this.remoteAddress = stream.session?.socket.remoteAddress ?? "";
    this.#transit = new Transit(ledger, () => this.remoteAddress);
    this.messages = this.#read(new FrameReader(limits.bodyBytes, headers["grpc-encoding"] as string | undefined));
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(metadata: Readonly<Record<string, string>>): void {
    this.#metadata = metadata;
  }

  send(message: Uint8Array): Promise<void> | undefined {
    if (this.#ended || this.#isGone) return undefined;
    if (!this.raw.headersSent) this.#respond(false);
    if (this.raw.write(frame(message))) return undefined;
    const backlog = this.#hold(this.raw.writableLength);
    return new Promise((resolve) => {
      // A client that leaves what we wrote unread for too long is given up.
      const stalled = setTimeout(() => this.raw.close(constants.NGHTTP2_ENHANCE_YOUR_CALM), this.#limits.stalledMs);
      const done = () => {
        clearTimeout(stalled);
        backlog.release();
        this.raw.removeListener("drain", done).removeListener("close", done);
        resolve();
      };
      this.raw.once("drain", done).once("close", done);
    });
  }

  end(status: number, message = "", trailers: Readonly<Record<string, string>> = {}): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#deadline);
    if (this.#isGone) return;
    // What the client still sends is not read by any call; unread, it would hold up the other calls of its connection.
    this.raw.resume();
    const last = {
      "grpc-status": String(status),
      ...(message ? { "grpc-message": encodeStatusMessage(message) } : {}),
      ...trailers,
    };
    if (!this.raw.headersSent) {
      // Nothing was sent: head and trailers go in one frame, as gRPC calls it "trailers only".
      this.#respond(true, last);
      return;
    }
    this.raw.once("wantTrailers", () => this.raw.sendTrailers(last));
    this.raw.end();
  }

  /** What the client has not taken yet; where there is no room for it, the client is given up. */
  #hold(bytes: number): Holding {
    const backlog = this.#transit.holding();
    try {
      backlog.charge(bytes);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
      this.raw.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
    return backlog;
  }

  #respond(isOver: boolean, more: Record<string, string> = {}): void {
    const head = { ":status": 200, "content-type": "application/grpc+proto", ...this.#metadata, ...more };
    this.raw.respond(head, isOver ? { endStream: true } : { waitForTrailers: true });
  }

  /** A client's RST_STREAM closes the stream a moment before it is destroyed, and answering then would throw. */
  get #isGone(): boolean {
    return this.raw.closed || this.raw.destroyed;
  }

  /** Reads only as fast as it is read from, so that a client that sends without end is held back by HTTP/2. */
  async *#read(frames: FrameReader): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.raw.iterator({ destroyOnReturn: false })) {
        this.#transit.receive((chunk as Buffer).length);
        for (const message of frames.push(chunk as Buffer)) {
          // Unpacked, it may be larger than what arrived.
          if (this.headers["grpc-encoding"] === "gzip") this.#transit.receive(message.length);
          yield message;
        }
      }
    } catch (error) {
      if (error instanceof FrameError || error instanceof BudgetExceeded) throw error;
      // The client is gone, which `signal` tells.
      return;
    }
    if (!frames.isBetweenMessages) throw new FrameError("malformed", "the request ended in the middle of a message");
  }

  #watch(): void {
    this.raw.once("close", () => this.#transit.release());
    const gone = () => {
      clearTimeout(this.#deadline);
      if (!this.#ended) this.#controller.abort();
    };
    this.raw.on("close", gone).on("aborted", gone);
    // A stream that breaks is the client's affair; without a listener it would be our end.
    this.raw.on("error", gone);
    // A call whose request does not come is not waited for.
    const silence = setTimeout(
      () => this.end(deadlineExceeded, "the request did not arrive in time"),
      this.#limits.requestTimeoutMs,
    );
    this.raw.once("end", () => clearTimeout(silence)).once("close", () => clearTimeout(silence));
    const ms = timeoutOf(this.headers["grpc-timeout"] as string | undefined);
    if (ms === undefined || ms > maxTimerMs) return;
    this.#deadline = setTimeout(() => {
      this.end(deadlineExceeded, "the deadline passed");
      this.#controller.abort();
    }, ms);
  }
}
