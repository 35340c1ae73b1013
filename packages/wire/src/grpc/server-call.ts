import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { createQueue, type Queue } from "../client/queue.ts";
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
  readonly #stream: ServerHttp2Stream;
  readonly #messages: Queue<Buffer>;
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
    this.#messages = createQueue<Buffer>(() => {});
    this.#read(new FrameReader(maxBytes, headers["grpc-encoding"] as string | undefined));
    this.#watch();
  }

  get messages(): AsyncIterable<Buffer> {
    return this.#messages;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(metadata: Readonly<Record<string, string>>): void {
    this.#metadata = metadata;
  }

  send(message: Uint8Array): Promise<void> | undefined {
    if (this.#ended || this.#stream.destroyed) return undefined;
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
    if (this.#stream.destroyed) return;
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

  #read(frames: FrameReader): void {
    const stream = this.#stream;
    stream.on("data", (chunk: Buffer) => {
      try {
        for (const message of frames.push(chunk)) this.#messages.push(message);
      } catch (error) {
        this.#messages.fail(error as FrameError);
        stream.removeAllListeners("data").resume();
      }
    });
    stream.on("end", () => {
      if (frames.isBetweenMessages) this.#messages.end();
      else this.#messages.fail(new FrameError("malformed", "the request ended in the middle of a message"));
    });
  }

  #watch(): void {
    const gone = () => {
      clearTimeout(this.#deadline);
      this.#messages.end();
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
