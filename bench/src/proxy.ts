import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Contestant, launch } from "./contestant.ts";
import { inTurns, ratiosOf } from "./interleave.ts";
import { latencies, percentile } from "./latency.ts";
import { bytesOf, hammer, streams } from "./load.ts";
import { progress, report, sized } from "./results/report.ts";
import { type Cell, cellOf } from "./results/rows.ts";
import { message, rpc } from "./server-rows.ts";

/**
 * Compares the judging proxy with a direct connection to the same agent, each in a separate process, in turns of short
 * rounds. Shows the added latency and the remaining throughput.
 */
const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: sized({ short: "2", standard: "3", long: "7" }) },
    slice: { type: "string", default: sized({ short: "100", standard: "250", long: "400" }) },
  },
});
const rounds = Number(flags.rounds);
const sliceMs = Number(flags.slice);
const warmUpMs = 3 * sliceMs;

const send = bytesOf(rpc("SendMessage", message("message-only hello")));
const stream = bytesOf(rpc("SendStreamingMessage", message("streaming hello")));

/** Starts an agent directly, and the same agent behind the proxy. */
async function pair(server: string): Promise<[Contestant, Contestant]> {
  const direct = await launch(server);
  process.env["BENCH_AGENT"] = direct.url;
  return [direct, await launch("proxy")];
}

/** Waits until the proxy has judged its exchanges, so that judging does not slow the other contestant's turn. */
const settled = (): Promise<void> => wait(500);

async function addedLatency(contestants: readonly Contestant[]): Promise<void> {
  const cells: Cell[] = [];
  for (const [title, pauseMs] of [
    ["a request every 5 ms", 5],
    ["one request after the other", 0],
  ] as const) {
    progress(title);
    const turns = await inTurns(contestants, { rounds, warmUpMs }, ({ url }) => latencies(url, send, 100, pauseMs));
    for (const percent of [50, 99]) {
      const [direct, proxied] = turns.map((ofOne) => ofOne.map((times) => percentile(times, percent)));
      const about = { name: `${title}, p${percent}`, unit: "ms" };
      cells.push(
        cellOf({ ...about, column: "direct", better: "neither" }, direct!),
        cellOf({ ...about, column: "through the proxy", better: "lower" }, proxied!),
      );
    }
  }
  report("Latency of a request", cells);
}

async function throughput([fast, paced]: readonly (readonly Contestant[])[]): Promise<void> {
  const cells: Cell[] = [];
  const hammered = async ({ url }: Contestant): Promise<number> => {
    const { requests, seconds } = await hammer(url, send, 32, sliceMs);
    return requests / seconds;
  };
  cells.push(...(await row("32 connections", { unit: "requests/s", more: true }, fast!, hammered)));
  for (const [title, contestants] of [
    ["events as fast as they go", fast!],
    ["10 ms between events", paced!],
  ] as const)
    for (const count of [1, 50, 500]) {
      const name = `${count} ${count === 1 ? "stream" : "streams at once"}, ${title}`;
      const streamed = ({ url }: Contestant): Promise<number> => streams(url, stream, count);
      cells.push(...(await row(name, { unit: "ms", more: false }, contestants, streamed)));
    }
  report("Throughput", cells);
}

async function row(
  name: string,
  { unit, more }: { readonly unit: string; readonly more: boolean },
  contestants: readonly Contestant[],
  play: (contestant: Contestant) => Promise<number>,
): Promise<Cell[]> {
  progress(name);
  const [direct, proxied] = await inTurns(contestants, { rounds, warmUpMs }, async (contestant) => {
    const value = await play(contestant);
    await settled();
    return value;
  });
  return [
    cellOf({ name, unit, column: "direct", better: "neither" }, direct!),
    cellOf({ name, unit, column: "through the proxy", better: more ? "higher" : "lower" }, proxied!),
    cellOf({ name, unit: "ratio", column: "share", better: "higher" }, ratiosOf(proxied!, direct!, more)),
  ];
}

const pairs = [await pair("ours"), await pair("paced")];
await addedLatency(pairs[0]!);
await throughput(pairs);
for (const contestant of pairs.flat()) await contestant.stop();
