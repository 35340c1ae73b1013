import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { pairsOf } from "../client/http-head.ts";
import { readLeniently, readRequestBody } from "../client/lenient-answer.ts";
import { type ByteLog, bytesOfBoth, createByteLog } from "../recording/byte-log.ts";
import type { BegunExchange, Exchange, Failure } from "../recording/exchange.ts";
import type { Recording } from "../recording/recording.ts";
import { eventsIn, mostBytes, WriteTimes } from "./served-events.ts";
import { recordStream } from "./stream-recorder.ts";

/** Bytes on a connection that never became a request. */
export interface StrayBytes {
  readonly bytes: Uint8Array;
  readonly at: string;
}

/** The traffic of one connection since its last exchange. */
interface Ear {
  sent: ByteLog;
  received: ByteLog;
  carried: number;
  /** open requests */
  pending: number;
}

/**
 * Records what clients send to a server and its responses, as exchanges like those of our own clients: `sent` is what
 * the client sent. It assumes one exchange at a time per connection. If a client pipelines requests, the bytes count
 * for whichever exchange ends first.
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

  /** Calls `listener` with each finished exchange. */
  onExchange(listener: (exchange: Exchange) => void): void {
    this.#recording.onExchange(listener);
  }

  /** Adds an exchange that was recorded in front of the server. */
  adopt(exchange: Exchange): void {
    this.#recording.finish(exchange);
  }

  /** Calls `listener` with each request as soon as its head is read. */
  onBegun(listener: (begun: BegunExchange) => void): void {
    this.#onBegun = listener;
  }

  /** Starts recording an HTTP/1.1 connection, before anything is read from it. */
  listenTo(socket: Socket): void {
    const ear: Ear = { ...fresh(), carried: 0, pending: 0 };
    this.#ears.set(socket, ear);
    // A data listener makes Node emit the bytes, which it would otherwise parse internally.
    socket.on("data", (bytes: Buffer) => ear.sent.append(bytes));
    const { write } = socket;
    // The cast restores overloads that the wrapper passes through.
    socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
      ear.received.append(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
      return Reflect.apply(write, socket, [chunk, ...rest]);
    }) as typeof write;
    socket.once("close", () => {
      // Bytes of a request are recorded with it.
      if (ear.pending === 0 && ear.sent.seen) this.#onStray({ bytes: ear.sent.bytes, at: new Date().toISOString() });
    });
  }

  /** Records a request when its response is complete or its client disconnected. */
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
    const times = new WriteTimes();
    const { write } = response;
    // The cast restores overloads that the wrapper passes through.
    response.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      times.add(chunk, performance.now() - began);
      return Reflect.apply(write, response, [chunk, ...rest]);
    }) as typeof write;
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      // A kept connection carries many requests.
      socket.off("close", over);
      const { sent, received } = ear;
      Object.assign(ear, fresh());
      const end = performance.now() - began;
      this.#recording.finish(
        exchangeOf({ id, message, isWhole: response.writableFinished, sent, received, times, reused, startedAt, end }),
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
  readonly times: WriteTimes;
  readonly reused: boolean;
  readonly startedAt: string;
  readonly end: number;
}

function exchangeOf({ id, message, isWhole, sent, received, times, reused, startedAt, end }: Served): Exchange {
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
      ...(read && eventsIn(read.response, end, isWhole, times)),
    },
    timing: { startedAt, end },
    ...(socket.remoteAddress && { remote: { address: socket.remoteAddress, port: socket.remotePort ?? 0 } }),
    ...(!isWhole && { failure: cutOff(socket) }),
  };
}

/** Decides who ended it early: a client that leaves closes its side, or resets the connection. */
const cutOff = (socket: Socket): Failure =>
  socket.readableEnded || socket.errored
    ? { code: "aborted", message: "the client disconnected before the response was complete" }
    : { code: "closed-early", message: "the connection was closed before the response was complete" };

/** Returns the URL that the client requested. */
function addressOf({ url = "/", headers, socket }: IncomingMessage): string {
  const origin = `${"encrypted" in socket ? "https" : "http"}://${headers.host || `127.0.0.1:${socket.localPort}`}`;
  const address = /^https?:/i.test(url) ? url : `${origin}${url.startsWith("/") ? "" : "/"}${url}`;
  return URL.canParse(address) ? address : origin;
}
