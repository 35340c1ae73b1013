import { type Contestant, launch } from "./contestant.ts";
import { median } from "./interleave.ts";
import { bytesOf, hammer } from "./load.ts";
import { message, rpc } from "./server-rows.ts";

/** What a server is like when it holds many tasks. */
export interface Growth {
  /** ListTasks, a page of 50, in milliseconds, at each of the sizes */
  readonly pageMs: readonly number[];
  /** heap of 10,000 tasks, in MB */
  readonly heapMB: number;
}

export const sizes = [1_000, 10_000, 100_000];

export async function growth(server: string): Promise<Growth> {
  const contestant = await launch(server);
  const page = bytesOf(rpc("ListTasks", {}));
  const pageMs: number[] = [];
  let heapMB = 0;
  let made = 0;
  for (const size of sizes) {
    const before = await contestant.heap();
    const grown = await fill(contestant, size - made);
    made += grown;
    if (size === 10_000) heapMB = (((await contestant.heap()) - before) / grown) * 0.01;
    const samples: number[] = [];
    for (let turn = 0; turn < 41; turn++) {
      const { requests, seconds } = await hammer(contestant.url, page, 1, 40);
      samples.push((seconds * 1000) / requests);
    }
    pageMs.push(median(samples));
  }
  await contestant.stop();
  return { pageMs, heapMB };
}

/** Makes about that many tasks; exactly as many as it says. */
async function fill({ url }: Contestant, count: number): Promise<number> {
  const make = bytesOf(rpc("SendMessage", message("task-lifecycle hello")));
  let made = 0;
  while (made < count) made += (await hammer(url, make, 16, Math.min(1000, Math.max(5, (count - made) / 20)))).requests;
  return made;
}
