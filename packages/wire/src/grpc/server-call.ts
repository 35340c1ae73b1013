import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type ClientCertificate, certificateOf } from "../server/client-certificate.ts";
import type { ServerContext } from "../server/context.ts";
import { BudgetExceeded, type Holding } from "../server/ledger.ts";
import type { ServerLimits } from "../server/limits.ts";
import type { Queued } from "../server/queue.ts";
import { Transit } from "../server/transit.ts";
import type { GrpcCall } from "./call.ts";
import { FrameReader, frame } from "./frame.ts";
import { RequestMessages } from "./request-messages.ts";
import { encodeStatusMessage } from "./status-message.ts";
import { timeoutOf } from "./timeout.ts";

const deadlineExceeded = 4;
const unavailable = 14;
const maxTimerMs = 2 ** 31 - 1;
const endStream = { endStream: true };
const waitForTrailers = { waitForTrailers: true };

/** A call on one HTTP/2 stream: framing, deadline, trailers. */
export class ServerCall implements GrpcCall, Queued<ServerCall> {
  ahead: ServerCall | undefined;
  behind: ServerCall | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly host: string;
  readonly secure: boolean;
  readonly remoteAddress: string;
  readonly messages: RequestMessages;
  readonly raw: ServerHttp2Stream;
  readonly #limits: ServerLimits;
  readonly #transit: Transit;
  /** Created on demand, because most calls end before anything could abort them. */
  #controller: AbortController | undefined;
  #isAborted = false;
  #silence: NodeJS.Timeout | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #metadata: Readonly<Record<string, string>> | undefined;
  #ended = false;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    context: Pick<ServerContext, "limits" | "secure" | "ledger" | "large">,
  ) {
    const { limits, secure } = context;
    this.raw = stream;
    this.#limits = limits;
    this.headers = headers;
    this.path = headers[":path"] ?? "";
    this.host = headers[":authority"] ?? headers.host ?? "";
    this.secure = secure;
    this.remoteAddress = stream.session?.socket.remoteAddress ?? "";
    this.#transit = new Transit(context, () => this.remoteAddress);
    const coding = headers["grpc-encoding"] as string | undefined;
    const frames = new FrameReader(limits.bodyBytes, coding, (bytes) => this.#transit.receive(bytes));
    this.messages = new RequestMessages(stream, frames, this.#transit, this.#arrived);
    this.#watch();
  }

  get certificate(): ClientCertificate | undefined {
    return certificateOf(this.raw.session?.socket);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  start(metadata: Readonly<Record<string, string>>): void {
    this.#metadata = this.#metadata ? { ...this.#metadata, ...metadata } : metadata;
  }

  send(message: Uint8Array): Promise<void> | undefined {
    if (this.#ended || this.#isGone) return undefined;
    if (!this.raw.headersSent) this.#respond(false);
    if (this.raw.write(frame(message))) return undefined;
    const backlog = this.#hold(this.raw.writableLength);
    return new Promise((resolve) => {
      // Give up on a client that does not read for too long.
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

  answer(message: Uint8Array): void {
    if (this.#ended || this.#isGone) return;
    this.#transit.send(message.length);
    if (!this.#isEnding()) return;
    if (!this.raw.headersSent) this.#respond(false);
    this.#finish({ "grpc-status": "0" }, frame(message));
    // Node mostly writes it by the end of this turn, and a timer for every call is slow.
    setImmediate(this.#watchUnread);
  }

  end(status: number, message = "", trailers: Readonly<Record<string, string>> = {}): void {
    if (!this.#isEnding()) return;
    const last: Record<string, string> = { "grpc-status": String(status) };
    if (message) last["grpc-message"] = encodeStatusMessage(message);
    Object.assign(last, trailers);
    if (!this.raw.headersSent) {
      // Nothing was sent yet: head and trailers go in one frame ("trailers only").
      this.#respond(true, last);
      return;
    }
    this.#finish(last);
  }

  /** Ends streams, because their clients can reconnect elsewhere. Calls with a single response still get it. */
  shutDown(): void {
    if (this.#ended || !this.raw.headersSent) return;
    this.end(unavailable, "the server is shutting down");
    this.#abort();
  }

  /** Marks the call as ended. Returns true if an end must be sent: once, and only to a connected client. */
  #isEnding(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearTimeout(this.#deadline);
    this.#arrived();
    if (this.#isGone) return false;
    // Discard further request data; unread, it would block other calls on the connection.
    this.raw.resume();
    return true;
  }

  #finish(trailers: Record<string, string>, last?: Buffer): void {
    this.raw.on("wantTrailers", () => this.raw.sendTrailers(trailers));
    if (last) this.raw.end(last);
    else this.raw.end();
  }

  /** Counts unread data; if there is no room, gives up on the client. */
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

  #respond(isOver: boolean, more?: Record<string, string>): void {
    const head = { ":status": 200, "content-type": "application/grpc+proto" };
    if (this.#metadata || more) Object.assign(head, this.#metadata, more);
    this.raw.respond(head, isOver ? endStream : waitForTrailers);
  }

  /** RST_STREAM closes the stream a moment before it is destroyed, and responding then would throw. */
  get #isGone(): boolean {
    return this.raw.closed || this.raw.destroyed;
  }

  #watch(): void {
    // Broken streams are the client's problem; without this listener Node would exit.
    this.raw.on("close", this.#closed).on("aborted", this.#gone).on("error", this.#gone);
    // A call whose request does not arrive times out.
    this.#silence = setTimeout(
      () => this.end(deadlineExceeded, "the request did not arrive in time"),
      this.#limits.requestTimeoutMs,
    );
    const ms = timeoutOf(this.headers["grpc-timeout"] as string | undefined);
    if (ms === undefined || ms > maxTimerMs) return;
    this.#deadline = setTimeout(() => {
      this.end(deadlineExceeded, "the deadline passed");
      this.#abort();
    }, ms);
  }

  /** Gives up if the client leaves data unread for too long. */
  readonly #watchUnread = (): void => {
    if (this.raw.writableLength > 0 && !this.#isGone)
      this.raw.setTimeout(this.#limits.stalledMs, () => this.raw.close(constants.NGHTTP2_ENHANCE_YOUR_CALM));
  };

  /** The request is complete, or no longer needed. */
  readonly #arrived = (): void => clearTimeout(this.#silence);

  readonly #gone = (): void => {
    clearTimeout(this.#deadline);
    if (!this.#ended) this.#abort();
  };

  readonly #closed = (): void => {
    this.#arrived();
    this.messages.stop();
    this.#gone();
    this.#transit.release();
  };

  #abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
