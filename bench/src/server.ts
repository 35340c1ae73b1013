import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { type Contestant, launch } from "./contestant.ts";
import { type Growth, growth, sizes } from "./growth.ts";
import { inTurns, median, ratioOf } from "./interleave.ts";
import {
  connections,
  grpcRows,
  type Playing,
  type Row,
  requestRows,
  shortStreamRows,
  streamRows,
} from "./server-rows.ts";
import { startUps, untilFirstAnswer } from "./start-up.ts";
import { hasWrk, wrk } from "./wrk.ts";

/**
 * The servers side by side. Each is started several times (`--starts`: no two processes are compiled alike), and on each
 * start all of them play every row in turns of short rounds. `--only <word>` plays the rows whose title has the word, `--stores` holds
 * our own stores, and those of the SDK, against each other instead.
 */
const { values: flags } = parseArgs({
  options: {
    starts: { type: "string", default: "3" },
    rounds: { type: "string", default: "8" },
    slice: { type: "string", default: "250" },
    only: { type: "string", default: "" },
    stores: { type: "boolean", default: false },
  },
});
const starts = Number(flags.starts);
const rounds = Number(flags.rounds);
const sliceMs = Number(flags.slice);
const isAsked = (title: string): boolean => title.includes(flags.only);

/** Name and script of the servers of each comparison; ours are held against the last one, the best that could be. */
const webServers = {
  ours: "ours",
  "ours, at once": "ours-at-once",
  "@a2a-js/sdk 1.3.0": "sdk",
  "raw node:http": "raw",
} as const;
const streamServers = { ours: "ours", "@a2a-js/sdk 1.3.0": "sdk", "raw node:http": "raw" } as const;
const grpcServers = { ours: "ours", "@grpc/grpc-js 1.14.7": "grpc-js" } as const;

const hasPostgres = Boolean(process.env["BENCH_POSTGRES"]);

/** Our own server on each store, beside the SDK with its own of the same kinds; memory is what all are held against. */
const storeServers = {
  SQLite: "ours-sqlite",
  "@a2a-js/sdk, SQLite": "sdk-sqlite",
  ...(hasPostgres && { PostgreSQL: "ours-postgres", "@a2a-js/sdk, PostgreSQL": "sdk-postgres" }),
  "@a2a-js/sdk, memory": "sdk",
  memory: "ours",
};

type Servers = Readonly<Record<string, string>>;

const progress = (text: string): boolean => process.stderr.write(`  ${text}\n`);
const write = (text: string): void => void process.stdout.write(`${text}\n`);
const show = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3));

interface Measured {
  readonly value: number;
  /** milliseconds of the server's processor per request, stream or call */
  readonly cpu: number;
}

/** Plays the rows on the servers; for each row what each server came to, round by round. */
async function sideBySide(servers: Servers, rows: readonly Row[]): Promise<Map<Row, Measured[][]>> {
  const measured = new Map(rows.map((row): [Row, Measured[][]] => [row, Object.keys(servers).map(() => [])]));
  for (let start = 1; start <= starts; start++) {
    const contestants: Contestant[] = [];
    for (const script of Object.values(servers)) contestants.push(await launch(script));
    for (const row of rows) {
      progress(`${row.title}, start ${start} of ${starts}`);
      const playing: (Playing & { contestant: Contestant })[] = [];
      for (const contestant of contestants) playing.push({ ...(await row.prepare(contestant)), contestant });
      const values = await inTurns(playing, { rounds, warmUpMs: 10 * sliceMs }, async ({ play, contestant }) => {
        const before = await contestant.cpu();
        const { value, units } = await play(sliceMs);
        return { value, cpu: ((await contestant.cpu()) - before) / units };
      });
      for (const [index, ofOne] of values.entries()) measured.get(row)![index]!.push(...ofOne);
      for (const each of playing) each.done?.();
    }
    for (const contestant of contestants) await contestant.stop();
  }
  return measured;
}

async function compare(servers: Servers, all: readonly Row[]): Promise<void> {
  const rows = all.filter(({ title }) => isAsked(title));
  if (rows.length === 0) return;
  const names = Object.keys(servers);
  const measured = await sideBySide(servers, rows);
  const against = names.slice(0, -1).map((name) => `${name} vs ${names.at(-1)} (by processor time)`);
  write(`\n| row | unit | ${[...names, ...against].join(" | ")} |`);
  write(`|---|---|${"---:|".repeat(names.length + against.length)}`);
  for (const [{ title, unit, more }, all] of measured) {
    const values = all.map((ofOne) => ofOne.map(({ value }) => value));
    const costs = all.map((ofOne) => ofOne.map(({ cpu }) => cpu));
    const ratios = values.slice(0, -1).map((ofOne, index) => {
      const byProcessor = ratioOf(costs[index]!, costs.at(-1)!, false);
      return `${ratioOf(ofOne, values.at(-1)!, more).toFixed(2)} (${byProcessor.toFixed(2)})`;
    });
    write(`| ${[title, unit, ...values.map((ofOne) => show(median(ofOne))), ...ratios].join(" | ")} |`);
  }
}

/** The same order by a driver that is not ours. */
async function checkedByWrk(): Promise<void> {
  if (!isAsked("wrk")) return;
  if (!hasWrk())
    return write("\nwrk is not installed (apt install wrk): all numbers are those of our own load driver.");
  const contestants: Contestant[] = [];
  for (const script of Object.values(webServers)) contestants.push(await launch(script));
  const names = Object.keys(webServers);
  write(`\n| by wrk | unit | ${names.join(" | ")} | ours vs raw | by processor time, each vs raw |`);
  write(`|---|---|${"---:|".repeat(names.length + 2)}`);
  for (const row of requestRows) {
    progress(`wrk: ${row.title}`);
    const turns = await inTurns(contestants, { rounds: 3 }, async (contestant) => {
      const spec = await row.specFor(contestant);
      const before = await contestant.cpu();
      const value = await wrk(new URL(contestant.url).origin, spec, connections, 1);
      // It played for one second.
      return { value, cpu: ((await contestant.cpu()) - before) / value };
    });
    const [values, costs] = [
      turns.map((ofOne) => ofOne.map(({ value }) => value)),
      turns.map((ofOne) => ofOne.map(({ cpu }) => cpu)),
    ];
    const ratio = ratioOf(values[0]!, values.at(-1)!, true).toFixed(2);
    const byProcessor = costs.map((ofOne) => ratioOf(ofOne, costs.at(-1)!, false).toFixed(2));
    write(
      `| ${[row.title, row.unit, ...values.map((ofOne) => show(median(ofOne))), ratio, byProcessor.join(", ")].join(" | ")} |`,
    );
  }
  for (const contestant of contestants) await contestant.stop();
}

async function compareGrowth(): Promise<void> {
  if (!isAsked("growth: ListTasks, heap")) return;
  const names = Object.keys(streamServers);
  const grown: Growth[] = [];
  for (const [name, script] of Object.entries(streamServers)) {
    progress(`${name}: up to ${sizes.at(-1)!.toLocaleString("en")} tasks`);
    grown.push(await growth(script));
  }
  write(
    `\n| row | unit | ${names.join(" | ")} | ours vs raw (above 1: larger) |\n|---|---|${"---:|".repeat(names.length + 1)}`,
  );
  const line = (title: string, unit: string, values: readonly number[]): void =>
    write(`| ${[title, unit, ...values.map(show), (values[0]! / values.at(-1)!).toFixed(2)].join(" | ")} |`);
  sizes.forEach((size, index) => {
    const title = `ListTasks, page of 50, ${size.toLocaleString("en")} tasks`;
    line(
      title,
      "ms",
      grown.map(({ pageMs }) => pageMs[index]!),
    );
  });
  line(
    "heap per 10,000 tasks",
    "MB",
    grown.map(({ heapMB }) => heapMB),
  );
}

async function compareStartUps(): Promise<void> {
  if (!isAsked("start-up")) return;
  progress("start-up to the first answer");
  const times = await inTurns(startUps, { rounds: 3 * rounds }, untilFirstAnswer);
  write("\n| start-up to the first answer | ms |\n|---|---:|");
  startUps.forEach(({ name }, index) => void write(`| ${name} | ${show(median(times[index]!))} |`));
}

write(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
write(
  `${starts} starts, on each ${rounds} interleaved rounds of ${sliceMs} ms, ${connections} connections. Medians; ratios of each round, above 1 is faster.`,
);
if (flags.stores) await compare(storeServers, [...requestRows, ...shortStreamRows]);
else {
  await compare(webServers, requestRows);
  await compare(streamServers, streamRows);
  await compare(grpcServers, grpcRows);
  await checkedByWrk();
  await compareGrowth();
  await compareStartUps();
}
