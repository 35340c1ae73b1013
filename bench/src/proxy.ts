import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Contestant, launch } from "./contestant.ts";
import { inTurns, median, ratioOf } from "./interleave.ts";
import { latencies, percentile } from "./latency.ts";
import { bytesOf, hammer, streams } from "./load.ts";
import { message, rpc } from "./server-rows.ts";

/**
 * The judging proxy beside a direct connection to the same agent, each in a process of its own, in turns of short rounds:
 * what it adds to a request, and what is left of the throughput.
 */
const { values: flags } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, slice: { type: "string", default: "400" } },
});
const rounds = Number(flags.rounds);
const sliceMs = Number(flags.slice);
const write = (text: string): void => void process.stdout.write(`${text}\n`);
const show = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3));

const send = bytesOf(rpc("SendMessage", message("message-only hello")));
const stream = bytesOf(rpc("SendStreamingMessage", message("streaming hello")));

/** An agent, and the same behind the proxy. */
async function pair(server: string): Promise<[Contestant, Contestant]> {
  const direct = await launch(server);
  process.env["BENCH_AGENT"] = direct.url;
  return [direct, await launch("proxy")];
}

/** What was passed on is judged when it is quiet: not in the turn of the other one. */
const settled = (): Promise<void> => wait(1_000);

async function addedLatency(contestants: readonly Contestant[]): Promise<void> {
  for (const [title, pauseMs] of [
    ["a request every 5 ms", 5],
    ["one request after the other", 0],
  ] as const) {
    const taken = await inTurns(contestants, { rounds, warmUpMs: 3_000 }, ({ url }) =>
      latencies(url, send, 100, pauseMs),
    );
    const [direct = [], proxied = []] = taken.map((ofOne) => ofOne.flat());
    for (const percent of [50, 99]) {
      const [one, other] = [percentile(direct, percent), percentile(proxied, percent)];
      write(`| ${title}, p${percent} | ms | ${show(one)} | ${show(other)} | +${show(other - one)} |`);
    }
  }
}

async function throughput(contestants: readonly Contestant[]): Promise<void> {
  const rates = await inTurns(contestants, { rounds, warmUpMs: 3_000 }, async ({ url }) => {
    const { requests, seconds } = await hammer(url, send, 32, sliceMs);
    await settled();
    return requests / seconds;
  });
  row("32 connections", "requests/s", rates, true);
}

async function streamed(title: string, contestants: readonly Contestant[]): Promise<void> {
  for (const count of [1, 50, 500]) {
    const times = await inTurns(contestants, { rounds, warmUpMs: 3_000 }, async ({ url }) => {
      const ms = await streams(url, stream, count);
      await settled();
      return ms;
    });
    row(`${count} ${count === 1 ? "stream" : "streams at once"}, ${title}`, "ms for all", times, false);
  }
}

function row(title: string, unit: string, [direct = [], proxied = []]: readonly number[][], more: boolean): void {
  write(
    `| ${title} | ${unit} | ${show(median(direct))} | ${show(median(proxied))} | ${ratioOf(proxied, direct, more).toFixed(2)} |`,
  );
}

const [fast, paced] = [await pair("ours"), await pair("paced")];
write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}; ${rounds} rounds, medians`);
write("\n| row | unit | direct | through the proxy | added, or share of the throughput |\n|---|---|---:|---:|---:|");
await addedLatency(fast);
await throughput(fast);
await streamed("events as fast as they go", fast);
await streamed("10 ms between events", paced);
for (const contestant of [...fast, ...paced]) await contestant.stop();
