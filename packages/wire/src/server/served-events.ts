import { createSseReader } from "../client/sse.ts";
import type { HttpLayer, HttpResponse } from "../recording/exchange.ts";

/** Maximum recorded bytes per exchange, also of an endless event stream. */
export const mostBytes = 4 * 1024 * 1024;

/** The time at which the first `bytes` bytes of a body were written. */
interface WriteTime {
  readonly bytes: number;
  readonly at: number;
}

/** Notes when the parts of a body are written. */
export class WriteTimes {
  readonly #times: WriteTime[] = [];
  #bytes = 0;

  add(chunk: string | Uint8Array, at: number): void {
    // Later bytes are not recorded.
    if (this.#bytes >= mostBytes) return;
    this.#bytes += typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.byteLength;
    this.#times.push({ bytes: this.#bytes, at });
  }

  [Symbol.iterator](): Iterator<WriteTime> {
    return this.#times[Symbol.iterator]();
  }
}

/** Returns the events of a response if it is an event stream. */
export function eventsIn(
  { headers, body }: Pick<HttpResponse, "headers" | "body">,
  end: number,
  isWhole: boolean,
  times: Iterable<WriteTime>,
): Pick<HttpLayer, "sse"> {
  const isStream = headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && /^text\/event-stream\b/i.test(value),
  );
  if (!isStream) return {};
  let now = end;
  const reader = createSseReader({
    clock: () => now,
    maxEvents: 100_000,
    maxEventSize: mostBytes,
    onEvent() {},
    onOverflow() {},
  });
  let fed = 0;
  for (const { bytes, at } of times) {
    now = at;
    reader.feed(body.subarray(fed, bytes));
    fed = bytes;
  }
  now = end;
  reader.feed(body.subarray(fed));
  return { sse: reader.end({ complete: isWhole }) };
}
