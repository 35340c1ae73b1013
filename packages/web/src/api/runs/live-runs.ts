import { type LiveEvent, liveEvent, type NumberedEvent } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";
import { EventLog } from "../../server/event-log.ts";
import type { StartedRun } from "../../server/lab.ts";

/** Maximum number of tests at a time; each of them keeps an agent busy. */
const most = 4;
/** Number of finished runs that can still be watched from the start. A run without results is kept nowhere else. */
const remembered = { kept: 4, unkept: 50 };

interface LiveRun {
  readonly log: EventLog<LiveEvent>;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

/** The tests that were started from the page. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();

  async start(begin: (signal: AbortSignal) => Promise<StartedRun>): Promise<string> {
    if (this.#going().length >= most)
      throw new ApiError(429, `The maximum of ${most} tests is running.`, "Stop one of them, or wait until one ends.");
    const stop = new AbortController();
    const started = await begin(stop.signal);
    const log = new EventLog<LiveEvent>();
    this.#runs.set(started.run, { log, stop, over: follow(started, log) });
    this.#forget();
    return started.run;
  }

  isRunning(run: string): boolean {
    return this.#runs.get(run)?.log.ended === false;
  }

  /** Returns true if the page can watch this run. */
  has(run: string): boolean {
    return this.#runs.has(run);
  }

  stop(run: string): boolean {
    const live = this.#runs.get(run);
    live?.stop.abort();
    return live !== undefined;
  }

  /**
   * Streams the events of a run from its start. Returns undefined if the run did not start here, or is no longer in
   * memory.
   */
  watch(run: string, signal: AbortSignal): AsyncIterable<NumberedEvent> | undefined {
    const log = this.#runs.get(run)?.log;
    return log && numbered(log.read(signal));
  }

  /** Stops all runs. Each one cleans up the tasks that it left at its agent. */
  async close(): Promise<void> {
    for (const { stop } of this.#runs.values()) stop.abort();
    await Promise.all([...this.#runs.values()].map(({ over }) => over));
  }

  /** Forgets the oldest finished runs, in the order of their start. */
  #forget(): void {
    const over = [...this.#runs].filter(([, { log }]) => log.ended);
    const isKept = ([, { log }]: (typeof over)[number]): boolean =>
      log.items.some(({ event }) => event === "check-finished");
    const kept = over.filter(isKept);
    const unkept = over.filter((run) => !isKept(run));
    const old = [...kept.slice(0, -remembered.kept), ...unkept.slice(0, -remembered.unkept)];
    for (const [run] of old) this.#runs.delete(run);
  }

  #going(): LiveRun[] {
    return [...this.#runs.values()].filter(({ log }) => !log.ended);
  }
}

async function follow({ events }: StartedRun, log: EventLog<LiveEvent>): Promise<void> {
  try {
    for await (const event of events) log.add(liveEvent(event));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.add({ event: "run-broke", message, ...(error instanceof ApiError && error.hint && { hint: error.hint }) });
  } finally {
    log.end();
  }
}

async function* numbered(events: AsyncIterable<LiveEvent>): AsyncGenerator<NumberedEvent, void> {
  let n = 0;
  for await (const event of events) yield { n: n++, event };
}
