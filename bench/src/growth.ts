import { type Contestant, launch } from "./contestant.ts";
import { bytesOf, hammer } from "./load.ts";
import { sized } from "./results/report.ts";
import { message, rpc } from "./server-rows.ts";

/** Measurements of a server that holds many tasks. */
export interface Growth {
  /** milliseconds of ListTasks with pages of 50 */
  readonly pages: readonly { readonly size: number; readonly times: readonly number[] }[];
  /** heap for 10,000 tasks, in MB */
  readonly heapMB: number;
}

const sizes = sized({ short: [1_000, 10_000], standard: [1_000, 10_000], long: [1_000, 10_000, 100_000] });
const samples = sized({ short: 5, standard: 11, long: 41 });

export async function growth(server: string): Promise<Growth> {
  const contestant = await launch(server);
  const page = bytesOf(rpc("ListTasks", {}));
  const pages: { size: number; times: number[] }[] = [];
  let heapMB = 0;
  let made = 0;
  for (const size of sizes) {
    const before = await contestant.heap();
    const grown = await fill(contestant, size - made);
    made += grown;
    if (size === 10_000) heapMB = (((await contestant.heap()) - before) / grown) * 0.01;
    const times: number[] = [];
    for (let turn = 0; turn < samples; turn++) {
      const { requests, seconds } = await hammer(contestant.url, page, 1, 40);
      times.push((seconds * 1000) / requests);
    }
    pages.push({ size, times });
  }
  await contestant.stop();
  return { pages, heapMB };
}

/** Creates about this many tasks, and returns the exact number. */
async function fill({ url }: Contestant, count: number): Promise<number> {
  const make = bytesOf(rpc("SendMessage", message("task-lifecycle hello")));
  let made = 0;
  while (made < count) made += (await hammer(url, make, 16, Math.min(1000, Math.max(5, (count - made) / 20)))).requests;
  return made;
}
