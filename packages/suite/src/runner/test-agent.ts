import { setMaxListeners } from "node:events";
import type { RunEvent } from "../report/events.ts";
import { EventQueue } from "./execute/event-queue.ts";
import { AgentTest } from "./execute/run.ts";
import type { TestOptions } from "./options.ts";

/** Tests an agent and tells everything as it happens. Whatever the agent does, the run goes on to its end. */
export async function* testAgent(options: TestOptions): AsyncGenerator<RunEvent, void> {
  const queue = new EventQueue<RunEvent>();
  const abandoned = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abandoned.signal]) : abandoned.signal;
  // Every call and every pause listens to it: many at a time are no leak.
  setMaxListeners(0, signal);
  const run = new AgentTest({ ...options, signal }, (event) => queue.push(event));
  const work = run.execute().finally(() => queue.end());
  // Told below, when the reader has seen everything that came before it.
  work.catch(() => {});
  try {
    yield* queue;
    await work;
  } finally {
    abandoned.abort();
    await work.catch(() => {});
  }
}
