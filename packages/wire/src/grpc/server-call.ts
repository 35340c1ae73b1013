import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
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
  readonly messages: AsyncIterable<Buffer>;
  readonly #stream: ServerHttp2Stream;
  readonly #controller = new AbortController();
  #deadline: NodeJS.Timeout | undefined;
  #metadata: Readonly<Record<string, string>> = {};
  #ended = false;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, maxBytes: number, secure: boolean) {
    this.#stream = stream;
    this.headers = headers;
    this.path = headers[":path"] ?? "";
    this.host = headers[":authority"] ?? headers.host ?? "";
    this.secure = secure;
    this.messages = this.#read(new FrameReader(maxBytes, headers["grpc-encoding"] as string | undefined));
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
    if (!this.#stream.headersSent) this.#respond(false);
    if (this.#stream.write(frame(message))) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        this.#stream.removeListener("drain", done).removeListener("close", done);
        resolve();
      };
      this.#stream.once("drain", done).once("close", done);
    });
  }

  end(status: number, message = "", trailers: Readonly<Record<string, string>> = {}): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#deadline);
    if (this.#isGone) return;
    // What the client still sends is for nobody; unread, it would hold up the other calls of its connection.
    this.#stream.resume();
    const last = {
      "grpc-status": String(status),
      ...(message ? { "grpc-message": encodeStatusMessage(message) } : {}),
      ...trailers,
    };
    if (!this.#stream.headersSent) {
      // Nothing was sent: head and trailers go in one frame, as gRPC calls it "trailers only".
      this.#respond(true, last);
      return;
    }
    this.#stream.once("wantTrailers", () => this.#stream.sendTrailers(last));
    this.#stream.end();
  }

  #respond(isOver: boolean, more: Record<string, string> = {}): void {
    const head = { ":status": 200, "content-type": "application/grpc+proto", ...this.#metadata, ...more };
    this.#stream.respond(head, isOver ? { endStream: true } : { waitForTrailers: true });
  }

  /** A client's RST_STREAM closes the stream a moment before it is destroyed, and answering then would throw. */
  get #isGone(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  /** Reads only as fast as it is read from, so that a client that sends without end is held back by HTTP/2. */
  async *#read(frames: FrameReader): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.#stream.iterator({ destroyOnReturn: false })) yield* frames.push(chunk as Buffer);
    } catch (error) {
      if (error instanceof FrameError) throw error;
      // The client is gone, which `signal` tells.
      return;
    }
    if (!frames.isBetweenMessages) throw new FrameError("malformed", "the request ended in the middle of a message");
  }

  #watch(): void {
    const gone = () => {
      clearTimeout(this.#deadline);
      if (!this.#ended) this.#controller.abort();
    };
    this.#stream.on("close", gone).on("aborted", gone);
    // A stream that breaks is the client's affair; without a listener it would be our end.
    this.#stream.on("error", gone);
    const ms = timeoutOf(this.headers["grpc-timeout"] as string | undefined);
    if (ms === undefined || ms > maxTimerMs) return;
    this.#deadline = setTimeout(() => {
      this.end(deadlineExceeded, "the deadline passed");
      this.#controller.abort();
    }, ms);
  }
}
