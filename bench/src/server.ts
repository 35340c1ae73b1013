import { parseArgs } from "node:util";
import { type Contestant, launch } from "./contestant.ts";
import { type Growth, growth } from "./growth.ts";
import { inTurns, ratiosOf } from "./interleave.ts";
import { latencies, percentile } from "./latency.ts";
import { bytesOf } from "./load.ts";
import { progress, report, sized } from "./results/report.ts";
import { type Cell, cellOf } from "./results/rows.ts";
import { connections, grpcRows, latencyRows, type Row, requestRows, streamRows } from "./server-rows.ts";
import { compare, type Servers } from "./side-by-side.ts";
import { startUps, untilFirstAnswer } from "./start-up.ts";
import { hasWrk, wrk } from "./wrk.ts";

/** Compares the servers in turns of short rounds. `--only <text>` selects the rows whose title contains the text. */
const effort = sized({
  short: { starts: 1, rounds: 3, sliceMs: 100 },
  standard: { starts: 2, rounds: 3, sliceMs: 125 },
  long: { starts: 3, rounds: 8, sliceMs: 250 },
});
const { values: flags } = parseArgs({
  options: {
    starts: { type: "string", default: String(effort.starts) },
    rounds: { type: "string", default: String(effort.rounds) },
    slice: { type: "string", default: String(effort.sliceMs) },
    only: { type: "string", default: "" },
  },
});
const [starts, rounds, sliceMs] = [flags.starts, flags.rounds, flags.slice].map(Number) as [number, number, number];
const isAsked = (title: string): boolean => title.toLowerCase().includes(flags.only.toLowerCase());

const ours = { script: "ours", isOurs: true };
const sdk = { "JavaScript SDK 1.3.0": { script: "sdk" } };
const raw = { "node:http": { script: "raw" } };
const webServers: Servers = {
  Assay: ours,
  "Assay, no batching": { script: "ours-at-once", isOurs: true },
  ...sdk,
  ...raw,
};
const streamServers: Servers = { Assay: ours, ...sdk, ...raw };
const grpcServers: Servers = { Assay: ours, "grpc-js 1.14.7": { script: "grpc-js" } };

const play = (title: string, servers: Servers, rows: readonly Row[]): Promise<void> =>
  compare(
    title,
    servers,
    rows.filter((row) => isAsked(row.title)),
    { starts, rounds, sliceMs },
  );

/** Checks our own load driver with wrk: the order of the servers should be the same. */
async function checkedByWrk(): Promise<void> {
  const isAskedFor =
    flags.only.toLowerCase() === "wrk" || sized({ short: false, standard: false, long: flags.only === "" });
  if (!isAskedFor) return;
  if (!hasWrk()) return progress("wrk is not installed (apt install wrk): every number is from our own load driver");
  const contestants: Contestant[] = [];
  const names = Object.keys(webServers);
  for (const { script } of Object.values(webServers)) contestants.push(await launch(script));
  const cells: Cell[] = [];
  for (const row of requestRows) {
    progress(`wrk: ${row.title}`);
    const turns = await inTurns(contestants, { rounds: 3 }, async (contestant) => {
      const spec = await row.specFor(contestant);
      return wrk(new URL(contestant.url).origin, spec, connections, 1);
    });
    const about = { name: row.title, better: "neither" } as const;
    names.forEach((column, at) => void cells.push(cellOf({ ...about, column, unit: row.unit }, turns[at]!)));
    const ratios = ratiosOf(turns[0]!, turns.at(-1)!, true);
    cells.push(cellOf({ ...about, column: "Assay / node:http", unit: "ratio" }, ratios));
  }
  for (const contestant of contestants) await contestant.stop();
  report("Requests, measured by wrk", cells);
}

/** Measures one request at a time on one connection, as most clients send them. */
async function compareLatencies(): Promise<void> {
  const rows = latencyRows.filter(({ title }) => isAsked(`latency of ${title}`));
  if (rows.length === 0) return;
  const contestants: Contestant[] = [];
  const servers = Object.entries(streamServers);
  for (const [, { script }] of servers) contestants.push(await launch(script));
  const cells: Cell[] = [];
  for (const { title, specFor } of rows) {
    progress(`latency of ${title}`);
    const playing: { url: string; bytes: Buffer }[] = [];
    for (const each of contestants) playing.push({ url: each.url, bytes: bytesOf(await specFor(each)) });
    const turns = await inTurns(playing, { rounds, warmUpMs: 6 * sliceMs }, ({ url, bytes }) =>
      latencies(url, bytes, 500, 0),
    );
    for (const percent of [50, 99])
      servers.forEach(([column, { isOurs }], at) => {
        const about = {
          name: `${title}, p${percent}`,
          column,
          unit: "ms",
          better: isOurs ? "lower" : "neither",
        } as const;
        cells.push(
          cellOf(
            about,
            turns[at]!.map((times) => percentile(times, percent)),
          ),
        );
      });
  }
  for (const contestant of contestants) await contestant.stop();
  report("Latency of one request at a time", cells);
}

async function compareGrowth(): Promise<void> {
  if (!isAsked("ListTasks, heap, many tasks")) return;
  const grown: [string, Growth][] = [];
  for (const [name, { script }] of Object.entries(streamServers)) {
    progress(`${name}: many tasks`);
    grown.push([name, await growth(script)]);
  }
  const betterOf = (name: string) => (streamServers[name]!.isOurs ? "lower" : "neither");
  const cells = grown.flatMap(([column, { pages, heapMB }]) => [
    ...pages.map(({ size, times }) => {
      const name = `ListTasks, page of 50, ${size.toLocaleString("en")} tasks`;
      return cellOf({ name, column, unit: "ms", better: betterOf(column) }, times);
    }),
    cellOf({ name: "heap for 10,000 tasks", column, unit: "MB", better: betterOf(column) }, [heapMB]),
  ]);
  report("Many tasks in memory", cells);
}

async function compareStartUps(): Promise<void> {
  if (!isAsked("start-up")) return;
  progress("start-up to the first answer");
  const times = await inTurns(startUps, { rounds: 2 * rounds }, untilFirstAnswer);
  const cells = startUps.map(({ name, isOurs }, at) =>
    cellOf({ name, column: "time", unit: "ms", better: isOurs ? "lower" : "neither" }, times[at]!),
  );
  report("Start-up to the first answer", cells);
}

await play("Requests", webServers, requestRows);
await compareLatencies();
await play("Streams", streamServers, streamRows);
await play("gRPC", grpcServers, grpcRows);
await checkedByWrk();
await compareGrowth();
await compareStartUps();
