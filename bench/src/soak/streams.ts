import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import { type Clients, isOver, type LoadClient, says } from "./load-client.ts";
import { ToldChunks } from "./told-chunks.ts";

/** How the numbered streams of the load look. */
export interface Pace {
  readonly chunks: number;
  /** between two of them */
  readonly pauseMs: number;
}

/** Every fifth client leaves in the middle of each of its streams, and comes back. */
const leavesEvery = 5;

/** What the streams of a run came to. */
export interface StreamTally {
  streams: number;
  events: number;
  rejoined: number;
}

/** So many streams at a time, each followed by the next when it is over, until it is enough. */
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
    // They do not begin, and do not end, all at once.
    await pause((index / count) * lastsMs, undefined, { signal: enough }).catch(() => {});
    while (!enough.aborted) {
      const leaves = index % leavesEvery === 0;
      await followOnce(clients.at(index), pace, { leaves, tally, findings }).catch((error: unknown) => {
        findings.add({ kind: "error", what: String(error) });
        // A server that refuses is not asked again at once.
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

/** One task from its first event to its end, and then as it is kept. */
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
