import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import { type Clients, isOver, type LoadClient, says } from "./load-client.ts";
import { ToldChunks } from "./told-chunks.ts";

/** The shape of the numbered streams. */
export interface Pace {
  readonly chunks: number;
  /** pause between two chunks */
  readonly pauseMs: number;
}

/** Every fifth client leaves in the middle of each stream and then subscribes again. */
const leavesEvery = 5;

/** The counts of a run's streams. */
export interface StreamTally {
  streams: number;
  events: number;
  rejoined: number;
}

/** Keeps this number of streams open, and replaces each ended one, until the signal aborts. */
export async function keepStreaming(
  clients: Clients,
  count: number,
  pace: Pace,
  findings: Findings,
  enough: AbortSignal,
): Promise<StreamTally> {
  const tally: StreamTally = { streams: 0, events: 0, rejoined: 0 };
  const lastsMs = pace.chunks * pace.pauseMs;
  const one = async (index: number): Promise<void> => {
    // Spread the streams, so that they do not all start and end together.
    await pause((index / count) * lastsMs, undefined, { signal: enough }).catch(() => {});
    while (!enough.aborted) {
      const leaves = index % leavesEvery === 0;
      await followOnce(clients.at(index), pace, { leaves, tally, findings }).catch((error: unknown) => {
        findings.add({ kind: "error", what: String(error) });
        // Don't ask a server that rejects requests again immediately.
        return pause(200);
      });
      tally.streams++;
    }
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  return tally;
}

interface Following {
  readonly leaves: boolean;
  readonly tally: StreamTally;
  readonly findings: Findings;
}

/** Follows one task from its first event to its end, and compares the stored task. */
async function followOnce(client: LoadClient, pace: Pace, { leaves, tally, findings }: Following): Promise<void> {
  const told = new ToldChunks(pace.chunks);
  const leaveAt = leaves ? 1 + Math.floor(Math.random() * pace.chunks * 0.6) : Number.POSITIVE_INFINITY;
  const take = async (events: AsyncIterable<Parameters<ToldChunks["take"]>[0]>, until: number): Promise<void> => {
    for await (const event of events) {
      told.take(event);
      tally.events++;
      if (told.last >= until) return;
    }
    told.end();
  };
  await take(client.follow("SendStreamingMessage", says(`chunks ${pace.chunks} 48 ${pace.pauseMs}`)), leaveAt);
  const id = told.taskId;
  if (id !== undefined && leaves && !told.isOver) {
    told.leave();
    await pause(Math.random() * 2 * pace.pauseMs);
    tally.rejoined++;
    await take(client.follow("SubscribeToTask", { id }), Number.POSITIVE_INFINITY).catch((error: unknown) => {
      if (!isOver(error)) throw error;
    });
  }
  if (id !== undefined) told.compare(await client.ask("GetTask", { id }));
  findings.add(...told.breaches);
}
