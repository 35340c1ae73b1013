import { setMaxListeners } from "node:events";
import { EventQueue } from "./event-queue.ts";

/** Does some work and tells its events as they happen. To stop reading is to stop the work, which is waited for. */
export async function* eventsOf<T>(
  stop: AbortSignal | undefined,
  work: (emit: (event: T) => void, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const queue = new EventQueue<T>();
  const abandoned = new AbortController();
  const signal = stop ? AbortSignal.any([stop, abandoned.signal]) : abandoned.signal;
  // Every call, pause and command listens to it: many at a time are no leak.
  setMaxListeners(0, signal);
  const working = work((event) => queue.push(event), signal).finally(() => queue.end());
  // Told below, when the reader has seen everything that came before it.
  working.catch(() => {});
  try {
    yield* queue;
    await working;
  } finally {
    abandoned.abort();
    await working.catch(() => {});
  }
}
