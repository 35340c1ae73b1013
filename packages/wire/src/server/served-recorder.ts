import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { pairsOf } from "../client/http-head.ts";
import { readLeniently, readRequestBody } from "../client/lenient-answer.ts";
import { type ByteLog, bytesOfBoth, createByteLog } from "../recording/byte-log.ts";
import type { BegunExchange, Exchange, Failure } from "../recording/exchange.ts";
import type { Recording } from "../recording/recording.ts";
import { eventsIn, mostBytes } from "./served-events.ts";
import { recordStream } from "./stream-recorder.ts";

/** What came over a connection and never became a request. */
export interface StrayBytes {
  readonly bytes: Uint8Array;
  readonly at: string;
}

/** What crossed one connection since its last exchange. */
interface Ear {
  sent: ByteLog;
  received: ByteLog;
  carried: number;
  /** requests that are not over yet */
  pending: number;
}

/**
 * Writes down what clients send to a server and what they are answered, as exchanges like those that our own clients
 * record: `sent` is what the client sent. A connection carries one exchange at a time here; of requests that a client
 * sends before the answer to the last one has gone, the bytes count for whichever is over first.
 */
export class ServedRecorder {
  readonly #recording: Recording;
  readonly #onStray: (stray: StrayBytes) => void;
  readonly #ears = new WeakMap<Socket, Ear>();
  #onBegun: (begun: BegunExchange) => void = () => {};

  constructor(recording: Recording, onStray: (stray: StrayBytes) => void = () => {}) {
    this.#recording = recording;
    this.#onStray = onStray;
  }

  /** Calls `listener` with each exchange as it is over. */
  onExchange(listener: (exchange: Exchange) => void): void {
    this.#recording.onExchange(listener);
  }

  /** Calls `listener` with each request as soon as its head was read. */
  onBegun(listener: (begun: BegunExchange) => void): void {
    this.#onBegun = listener;
  }

  /** From here on a connection of HTTP/1.1 is listened in on; nothing was read from it yet. */
  listenTo(socket: Socket): void {
    const ear: Ear = { ...fresh(), carried: 0, pending: 0 };
    this.#ears.set(socket, ear);
    // A listener of its own makes Node hand the bytes over, which it would otherwise parse below the surface.
    socket.on("data", (bytes: Buffer) => ear.sent.append(bytes));
    const { write } = socket;
    // The cast restores overloads that a wrapper passes through unseen.
    socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
      ear.received.append(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
      return Reflect.apply(write, socket, [chunk, ...rest]);
    }) as typeof write;
    socket.once("close", () => {
      // What belongs to a request is told with it.
      if (ear.pending === 0 && ear.sent.seen) this.#onStray({ bytes: ear.sent.bytes, at: new Date().toISOString() });
    });
  }

  /** A request was read; it is recorded when its answer is over, or its client gone. */
  begin(message: IncomingMessage, response: ServerResponse): void {
    const { socket } = message;
    const ear = this.#ears.get(socket);
    if (!ear) return;
    const id = this.#recording.issueId();
    this.#onBegun({ id, method: message.method ?? "GET", url: addressOf(message) });
    const startedAt = new Date().toISOString();
    const began = performance.now();
    const reused = ear.carried > 0;
    ear.carried += 1;
    ear.pending += 1;
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      // A connection that is kept carries many requests.
      socket.off("close", over);
      const { sent, received } = ear;
      Object.assign(ear, fresh());
      const end = performance.now() - began;
      this.#recording.finish(
        exchangeOf({ id, message, isWhole: response.writableFinished, sent, received, reused, startedAt, end }),
      );
    };
    response.once("close", over);
    // Node closes only the response that it is writing.
    socket.once("close", over);
  }

  beginStream(stream: ServerHttp2Stream, rawHeaders: readonly string[]): void {
    recordStream(stream, pairsOf(rawHeaders), this.#recording, this.#onBegun);
  }
}

const fresh = (): Pick<Ear, "sent" | "received"> => ({
  sent: createByteLog(mostBytes),
  received: createByteLog(mostBytes),
});

interface Served {
  readonly id: string;
  readonly message: IncomingMessage;
  readonly isWhole: boolean;
  readonly sent: ByteLog;
  readonly received: ByteLog;
  readonly reused: boolean;
  readonly startedAt: string;
  readonly end: number;
}

function exchangeOf({ id, message, isWhole, sent, received, reused, startedAt, end }: Served): Exchange {
  const { method = "GET", socket } = message;
  const read = readLeniently(received.bytes, method, true);
  return {
    id,
    transport: {
      ...bytesOfBoth(sent, received),
      reused,
    },
    http: {
      request: {
        method,
        url: addressOf(message),
        headers: pairsOf(message.rawHeaders),
        body: readRequestBody(sent.bytes),
        bodyTruncated: sent.truncated || !message.complete,
      },
      ...(read && { response: { ...read.response, bodyTruncated: received.truncated || !read.complete } }),
      ...(read && eventsIn(read.response, end, isWhole)),
    },
    timing: { startedAt, end },
    ...(socket.remoteAddress && { remote: { address: socket.remoteAddress, port: socket.remotePort ?? 0 } }),
    ...(!isWhole && { failure: cutOff(socket) }),
  };
}

/** Who ended it early: a client that leaves closes its side, or tears the connection down. */
const cutOff = (socket: Socket): Failure =>
  socket.readableEnded || socket.errored
    ? { code: "aborted", message: "the client hung up before the end of the answer" }
    : { code: "closed-early", message: "the connection was cut before the end of the answer" };

/** As the client asked for it. */
function addressOf({ url = "/", headers, socket }: IncomingMessage): string {
  const origin = `${"encrypted" in socket ? "https" : "http"}://${headers.host || `127.0.0.1:${socket.localPort}`}`;
  const address = /^https?:/i.test(url) ? url : `${origin}${url.startsWith("/") ? "" : "/"}${url}`;
  return URL.canParse(address) ? address : origin;
}
