import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import { type Clients, isOver, says } from "./load-client.ts";
import type { Pace } from "./streams.ts";
import { ToldChunks, tellApart } from "./told-chunks.ts";

export interface FanOutTally {
  rounds: number;
  events: number;
  /** total of all rounds */
  subscribers: number;
  /** number of subscribers that came after the task had ended */
  late: number;
}

/** Subscribes many clients to one task, again and again. All of them must receive the same events in the same order. */
export async function keepFanningOut(
  clients: Clients,
  subscribers: number,
  pace: Pace,
  findings: Findings,
  enough: AbortSignal,
): Promise<FanOutTally> {
  const tally: FanOutTally = { rounds: 0, events: 0, subscribers: 0, late: 0 };
  while (!enough.aborted) {
    try {
      await fanOutOnce(clients, subscribers, pace, findings, tally);
    } catch (error) {
      findings.add({ kind: "error", what: `subscribers: ${String(error)}` });
      // Don't ask a server that rejects requests again immediately.
      await pause(200);
    }
    tally.rounds++;
  }
  return tally;
}

async function fanOutOnce(
  clients: Clients,
  subscribers: number,
  { chunks, pauseMs }: Pace,
  findings: Findings,
  tally: FanOutTally,
): Promise<void> {
  const configuration = { returnImmediately: true };
  const request = { ...says(`chunks ${chunks} 48 ${pauseMs}`), configuration };
  const { task } = await clients.at(tally.rounds).ask("SendMessage", request);
  const { id } = task!;
  const follow = async (index: number): Promise<ToldChunks | undefined> => {
    const told = new ToldChunks(chunks);
    try {
      for await (const event of clients.at(index).follow("SubscribeToTask", { id })) {
        told.take(event);
        tally.events++;
      }
    } catch (error) {
      if (!isOver(error)) throw error;
      tally.late++;
      return undefined;
    }
    told.end();
    return told;
  };
  const all = await Promise.all(Array.from({ length: subscribers }, (_, index) => follow(index)));
  const followers = all.filter((told) => told !== undefined);
  tally.subscribers += subscribers;
  const kept = await clients.at(tally.rounds).ask("GetTask", { id });
  for (const told of followers) told.compare(kept);
  findings.add(...followers.flatMap(({ breaches }) => breaches), ...tellApart(followers));
}
