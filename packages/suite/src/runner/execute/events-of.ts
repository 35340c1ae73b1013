import { setMaxListeners } from "node:events";
import { EventQueue } from "./event-queue.ts";

/** Does some work and yields its events. When the reader stops, the work is stopped and awaited. */
export async function* eventsOf<T>(
  stop: AbortSignal | undefined,
  work: (emit: (event: T) => void, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const queue = new EventQueue<T>();
  const abandoned = new AbortController();
  const signal = stop ? AbortSignal.any([stop, abandoned.signal]) : abandoned.signal;
  // Every call, pause and command listens to the signal. Many listeners are not a leak here.
  setMaxListeners(0, signal);
  const working = work((event) => queue.push(event), signal).finally(() => queue.end());
  // Thrown below, after the reader has received all earlier events.
  working.catch(() => {});
  try {
    yield* queue;
    await working;
  } finally {
    abandoned.abort();
    await working.catch(() => {});
  }
}
