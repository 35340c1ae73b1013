import { type Arrived, whenAwakeFor } from "@assay/wire";
import type { Call } from "./call.ts";

/** A running stream. Callers read as much as they need, then close it. */
export class LiveStream {
  /** the frames so far */
  readonly frames: Arrived[] = [];
  readonly #source: AsyncIterator<Arrived>;
  readonly #call: Promise<Call>;
  readonly #close: () => void;
  #pending: Promise<IteratorResult<Arrived>> | undefined;
  #ended = false;

  constructor(events: AsyncIterable<Arrived>, call: Promise<Call>, close: () => void) {
    this.#source = events[Symbol.asyncIterator]();
    this.#call = call;
    this.#close = close;
  }

  /** Settles when either side has ended the stream. */
  get over(): Promise<unknown> {
    return this.#call.catch(() => {});
  }

  /** The peer has closed the stream, or it broke. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Returns the first frame without consuming it. */
  async peek(withinMs: number): Promise<Arrived | undefined> {
    if (this.#ended) return undefined;
    this.#pending ??= this.#source.next();
    const pending = this.#pending;
    const outcome = await patiently(withinMs, (over) => Promise.race([pending, over]));
    return outcome === undefined || outcome.done ? undefined : outcome.value;
  }

  /** Returns the next frame, or undefined when the stream or the time ends. */
  next(withinMs: number): Promise<Arrived | undefined> {
    return patiently(withinMs, (over) => this.#next(over));
  }

  async #next(over: Promise<undefined>): Promise<Arrived | undefined> {
    if (this.#ended) return undefined;
    this.#pending ??= this.#source.next();
    const outcome = await Promise.race([this.#pending, over]);
    if (outcome === undefined) return undefined;
    this.#pending = undefined;
    if (outcome.done) {
      this.#ended = true;
      return undefined;
    }
    this.frames.push(outcome.value);
    return outcome.value;
  }

  /** Reads until a frame matches. Returns undefined when the stream or the time ends first. */
  until(fits: (frame: Arrived) => boolean, withinMs: number): Promise<Arrived | undefined> {
    return patiently(withinMs, async (over) => {
      for (;;) {
        const frame = await this.#next(over);
        if (!frame || fits(frame)) return frame;
      }
    });
  }

  /** Reads to the end of the stream, or closes it when the time ends. Returns the whole call. */
  async rest(withinMs: number): Promise<Call> {
    await this.until(() => false, withinMs);
    return this.hangUp();
  }

  /** Closes the stream if it is still open. */
  hangUp(): Promise<Call> {
    this.#close();
    return this.#call;
  }
}

/** Runs `act` with a time limit. `over` resolves when this process has run for that long. */
async function patiently<T>(ms: number, act: (over: Promise<undefined>) => Promise<T>): Promise<T> {
  let callOff = (): void => {};
  const over = new Promise<undefined>((resolve) => {
    callOff = whenAwakeFor(ms, () => resolve(undefined));
  });
  try {
    return await act(over);
  } finally {
    callOff();
  }
}
