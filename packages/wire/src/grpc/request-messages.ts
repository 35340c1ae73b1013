import type { ServerHttp2Stream } from "node:http2";
import type { Transit } from "../server/transit.ts";
import { FrameError, type FrameReader } from "./frame.ts";

type Next = IteratorResult<Buffer, undefined>;

const over: Next = { done: true, value: undefined };

interface Waiting {
  readonly resolve: (next: Next) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads the messages of a request only as fast as they are consumed, so HTTP/2 slows down a client that sends without
 * end. Written by hand, because Node's stream iterator costs as much as the rest of a small call.
 */
export class RequestMessages implements AsyncIterableIterator<Buffer, undefined> {
  readonly #stream: ServerHttp2Stream;
  readonly #frames: FrameReader;
  readonly #transit: Pick<Transit, "receive" | "enter">;
  readonly #arrived: () => void;
  readonly #ready: Buffer[] = [];
  #isBegun = false;
  #isOver = false;
  #failure: unknown;
  #waiting: Waiting | undefined;

  /**
   * `transit` counts every byte before it is held, and throws if there is no room. `arrived` is called when the request
   * is complete. The owner calls `stop` when the stream closes: another listener for every call is slow.
   */
  constructor(
    stream: ServerHttp2Stream,
    frames: FrameReader,
    transit: Pick<Transit, "receive" | "enter">,
    arrived: () => void,
  ) {
    this.#stream = stream;
    this.#frames = frames;
    this.#transit = transit;
    this.#arrived = arrived;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Next> {
    const value = this.#ready.shift();
    if (value) return Promise.resolve({ done: false, value });
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#isOver) return Promise.resolve(over);
    this.#readOn();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** From here on, further data of the client waits until the call is over. */
  return(): Promise<Next> {
    this.#stream.pause();
    this.stop();
    return Promise.resolve(over);
  }

  #readOn(): void {
    if (this.#isBegun) {
      this.#stream.resume();
      return;
    }
    this.#isBegun = true;
    this.#stream.on("data", this.#take).on("end", this.#end);
    // An empty request may have ended before, and its end event is not repeated.
    if (this.#stream.readableEnded || this.#stream.destroyed) queueMicrotask(this.#end);
  }

  readonly #take = (chunk: Buffer): void => {
    if (this.#isOver) return;
    try {
      this.#transit.receive(chunk.length);
      for (const message of this.#frames.push(chunk)) this.#give(message);
    } catch (error) {
      this.#fail(error);
    }
    if (this.#ready.length > 0) this.#stream.pause();
  };

  #give(message: Buffer): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) {
      this.#ready.push(message);
      return;
    }
    let isGiven = false;
    const stopWaiting = this.#transit.enter(message.length, () => {
      isGiven = true;
      waiting.resolve({ done: false, value: message });
    });
    if (isGiven) return;
    this.#stream.once("close", () => {
      stopWaiting();
      waiting.resolve(over);
    });
  }

  readonly #end = (): void => {
    this.#arrived();
    if (this.#frames.isBetweenMessages) this.stop();
    else this.#fail(new FrameError("malformed", "the request ended in the middle of a message"));
  };

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#waiting) this.#waiting.reject(error);
    else this.#failure = error;
    this.#waiting = undefined;
  }

  /** Ends the messages, complete or not; the call's signal reports a disconnected client. */
  stop(): void {
    this.#isOver = true;
    this.#waiting?.resolve(over);
    this.#waiting = undefined;
  }
}
