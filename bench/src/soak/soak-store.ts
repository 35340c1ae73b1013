import { setMaxListeners } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { median } from "../interleave.ts";
import { type FanOutTally, keepFanningOut } from "./fan-out.ts";
import { type Breach, type BreachKind, Findings } from "./findings.ts";
import { expectFall, judgeServer } from "./judging-server.ts";
import { type LatencyRow, LatencyTable } from "./latency-table.ts";
import { Clients } from "./load-client.ts";
import { judgeMemory, type MemoryReport, warmUp, watchMemory } from "./memory-watch.ts";
import { startSoakedServer } from "./soaked-server.ts";
import { keepConversing } from "./steady-mix.ts";
import { keepStreaming, type Pace, type StreamTally } from "./streams.ts";
import { startReceiver } from "./webhook-receiver.ts";

/** The load on a server and its duration. */
export interface Load {
  readonly minutes: number;
  /** number of streams open at the same time */
  readonly streams: number;
  /** number of subscribers of one task */
  readonly subscribers: number;
  /** number of conversations that start per second */
  readonly perSecond: number;
  readonly pace: Pace;
}

export interface StoreReport {
  readonly store: string;
  readonly seconds: number;
  readonly streams: StreamTally;
  /** number of streams open at a time after the warm-up, by the server's gauge */
  readonly openStreams: number;
  readonly fanOut: FanOutTally;
  readonly conversations: number;
  readonly notifications: number;
  readonly latencies: readonly LatencyRow[];
  /** delay of the clients themselves in milliseconds, which is part of every latency */
  readonly clientDelay: { readonly p50: number; readonly p99: number };
  /** processor seconds per second, of the server and of the clients */
  readonly busy: { readonly server: number; readonly clients: number };
  readonly heap: MemoryReport;
  readonly resident: MemoryReport;
  readonly counts: Partial<Record<BreachKind, number>>;
  readonly breaches: readonly Breach[];
}

/** Limits of the server's memory for clients. They are low, so that the store in memory is full after the warm-up. */
const flags = ["--max-memory", "48", "--max-caller-memory", "48", "--keep-tasks", "20000"];

/** Makes the streams long enough for all subscribers to arrive on a busy machine. */
const fanOutPace = ({ pace }: Load): Pace => ({ ...pace, chunks: 3 * pace.chunks });

/** Runs a server on a store under load, and checks its promises. */
export async function soakStore(store: string, address: string, load: Load): Promise<StoreReport> {
  const findings = new Findings();
  const latencies = new LatencyTable();
  const server = await startSoakedServer(address, flags);
  const receiver = await startReceiver();
  const sets = 1 + Math.ceil((load.streams + load.subscribers) / 150);
  const clients = new Clients(server.url, sets, latencies);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const enough = AbortSignal.timeout(load.minutes * 60_000);
  // Every stream and conversation listens to this signal: many listeners are not a leak here.
  setMaxListeners(0, enough);
  const began = performance.now();
  const before = process.cpuUsage();
  const warm = setTimeout(
    () => {
      latencies.clear();
      delay.enable();
    },
    load.minutes * warmUp * 60_000,
  );
  try {
    const [streams, fanOut, conversations, memory] = await Promise.all([
      keepStreaming(clients, load.streams, load.pace, findings, enough),
      keepFanningOut(clients, load.subscribers, fanOutPace(load), findings, enough),
      keepConversing(clients, load.perSecond, receiver.url, findings, enough),
      watchMemory(server, load.minutes, enough),
    ]);
    delay.disable();
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(before);
    const busy = { server: (await server.usage()).cpu / seconds, clients: (user + system) / 1e6 / seconds };
    await expectFall(server, "assay_streams", 0, findings);
    await clients.close();
    // The request for the gauge has its own connection, and an earlier one may still be open.
    await expectFall(server, "assay_connections", 2, findings);
    judgeMemory("heap", memory.heap, load.minutes, findings);
    judgeMemory("resident", memory.resident, load.minutes, findings);
    judgeServer(server, findings);
    return {
      store,
      seconds,
      streams,
      openStreams: median(memory.openStreams.filter((open) => !Number.isNaN(open))),
      fanOut,
      conversations,
      notifications: receiver.received(),
      latencies: latencies.rows,
      clientDelay: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 },
      busy,
      heap: memory.heap,
      resident: memory.resident,
      counts: findings.counts,
      breaches: findings.breaches,
    };
  } finally {
    clearTimeout(warm);
    receiver.close();
    await clients.close();
    await server.stop();
  }
}
