import { type Arrived, whenAwakeFor } from "@assay/wire";
import type { Call } from "./call.ts";

/** A stream while it runs: read as far as one wants, then let go. */
export class LiveStream {
  /** what has come so far */
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

  /** Settles when the stream is over, whoever ended it. */
  get over(): Promise<unknown> {
    return this.#call.catch(() => {});
  }

  /** The peer has closed the stream, or it broke. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The first frame without taking it: the next reader gets it again. */
  async peek(withinMs: number): Promise<Arrived | undefined> {
    if (this.#ended) return undefined;
    this.#pending ??= this.#source.next();
    const pending = this.#pending;
    const outcome = await patiently(withinMs, (over) => Promise.race([pending, over]));
    return outcome === undefined || outcome.done ? undefined : outcome.value;
  }

  /** The next frame; undefined at the end of the stream or of the time. */
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

  /** Reads on until a frame fits; undefined when none did before the end of the stream or of the time. */
  until(fits: (frame: Arrived) => boolean, withinMs: number): Promise<Arrived | undefined> {
    return patiently(withinMs, async (over) => {
      for (;;) {
        const frame = await this.#next(over);
        if (!frame || fits(frame)) return frame;
      }
    });
  }

  /** Reads to the end, or hangs up when the time is over; then the whole call. */
  async rest(withinMs: number): Promise<Call> {
    await this.until(() => false, withinMs);
    return this.hangUp();
  }

  /** Hangs up, unless it is over already. */
  hangUp(): Promise<Call> {
    this.#close();
    return this.#call;
  }
}

/** Does something for which there is so much time; `over` comes true when it has passed, as long as this process ran. */
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
