import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "../findings.ts";
import { type LatencyRow, LatencyTable } from "../latency-table.ts";
import { Clients, type LoadClient, says } from "../load-client.ts";

/** The requests of good clients during an abuse: a short one of each kind. */
const requests: readonly ((client: LoadClient) => Promise<unknown>)[] = [
  (client) => client.ask("SendMessage", says("message-only hello")),
  (client) => client.ask("SendMessage", says("task-lifecycle hello")),
  (client) => client.ask("ListTasks", { pageSize: 5 }),
  async (client) => {
    for await (const _event of client.follow("SendStreamingMessage", says("chunks 5")));
  },
];

const perSecond = 40;

/** Measures the latency of all requests of good clients, forty per second, for this many seconds. */
export async function measureGoodClients(url: string, seconds: number, findings: Findings): Promise<LatencyRow> {
  const latencies = new LatencyTable();
  const clients = new Clients(url, 1, latencies);
  const under: Promise<unknown>[] = [];
  const began = performance.now();
  for (let number = 0; number < seconds * perSecond; number++) {
    const client = clients.at(number + Math.floor(number / requests.length));
    const work = requests[number % requests.length]!(client);
    under.push(
      work.catch((error: unknown) => findings.add({ kind: "error", what: `a good client: ${String(error)}` })),
    );
    await pause(Math.max(0, began + ((number + 1) * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(under);
  await clients.close();
  return latencies.all;
}
