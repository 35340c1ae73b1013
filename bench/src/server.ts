import { cpus, totalmem } from "node:os";
import { grpcV10 } from "@assay/protocol/grpc";
import { type Contestant, contestants, grpcContestants, launch, start } from "./contestant.ts";
import { grpcLoad } from "./grpc-load.ts";
import { bytesOf, hammer, type Spec, streams } from "./load.ts";

/**
 * The servers side by side: in every round each contestant plays every row, one after the other, so that a
 * busy moment of the machine hits all of them alike. Medians over the rounds.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const sliceMs = Number(process.env["BENCH_SLICE_MS"] ?? 1500);
const connections = 32;

type Name = keyof typeof contestants;
const names = Object.keys(contestants) as Name[];

const message = (text: string) => ({ message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] } });
const rpc = (method: string, params: unknown): Spec => ({
  verb: "POST",
  path: "/spec",
  body: { jsonrpc: "2.0", id: 1, method, params },
});
const restSend = (text: string, action = "send"): Spec => ({
  verb: "POST",
  path: `/spec/message:${action}`,
  body: message(text),
});

interface Row {
  readonly title: string;
  readonly unit: string;
  /** whether a larger number is better */
  readonly more: boolean;
  play(contestant: Contestant): Promise<number>;
}

const perSecond = async (contestant: Contestant, spec: Spec): Promise<number> => {
  const { requests, seconds } = await hammer(contestant.url, bytesOf(spec), connections, sliceMs);
  return requests / seconds;
};

async function taskOf({ url }: Contestant): Promise<string> {
  const response = await fetch(`${url}/message:send`, {
    method: "POST",
    headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
    body: JSON.stringify(message("task-lifecycle hello")),
  });
  return ((await response.json()) as { task: { id: string } }).task.id;
}

const throughput = (title: string, spec: (contestant: Contestant) => Promise<Spec> | Spec): Row => ({
  title,
  unit: "requests/s",
  more: true,
  play: async (contestant) => perSecond(contestant, await spec(contestant)),
});

const streamRow = (count: number, chunks: number, spec: Spec, binding: string): Row => ({
  title: `${count === 1 ? "one stream" : `${count} streams at once`}, ${chunks} chunks, ${binding}`,
  unit: "ms",
  more: false,
  play: async ({ url }) => {
    const times: number[] = [];
    for (let i = 0; i < 9; i++) times.push(await streams(url, bytesOf(spec), count));
    return median(times);
  },
});

const rows: readonly Row[] = [
  throughput("echo, JSON-RPC", () => rpc("SendMessage", message("message-only hello"))),
  throughput("echo, HTTP+JSON", () => restSend("message-only hello")),
  throughput("task-lifecycle, JSON-RPC", () => rpc("SendMessage", message("task-lifecycle hello"))),
  throughput("task-lifecycle, HTTP+JSON", () => restSend("task-lifecycle hello")),
  throughput("get, JSON-RPC", async (contestant) => rpc("GetTask", { id: await taskOf(contestant) })),
  throughput("get, HTTP+JSON", async (contestant) => ({
    verb: "GET",
    path: `/spec/tasks/${await taskOf(contestant)}`,
  })),
  streamRow(1, 1000, rpc("SendStreamingMessage", message("chunks 1000 16")), "JSON-RPC"),
  streamRow(1, 1000, restSend("chunks 1000 16", "stream"), "HTTP+JSON"),
  streamRow(50, 20, rpc("SendStreamingMessage", message("chunks 20 16")), "JSON-RPC"),
  streamRow(500, 20, rpc("SendStreamingMessage", message("chunks 20 16")), "JSON-RPC"),
];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function sideBySide(): Promise<void> {
  const measured = new Map<Row, Map<Name, number[]>>();
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    for (const name of names) {
      const contestant = await start(name);
      for (const row of rows) {
        await row.play(contestant).catch(() => {}); // warm-up
        const value = await row.play(contestant);
        const all = measured.get(row) ?? new Map<Name, number[]>();
        all.set(name, [...(all.get(name) ?? []), value]);
        measured.set(row, all);
      }
      await contestant.stop();
    }
  }
  for (const row of rows) {
    const [ours, sdk, raw] = names.map((name) => median(measured.get(row)!.get(name)!)) as [number, number, number];
    table.push([
      row.title,
      row.unit,
      ours,
      sdk,
      raw,
      row.more ? ours / raw : raw / ours,
      row.more ? ours / sdk : sdk / ours,
    ]);
  }
}

/** ListTasks while the store grows, and what a task costs in memory. */
async function growth(): Promise<void> {
  const sizes = [1_000, 10_000, 100_000];
  const latency = new Map<Name, number[]>();
  const memory = new Map<Name, number>();
  for (const name of names) {
    const contestant = await start(name);
    const make = bytesOf(rpc("SendMessage", message("task-lifecycle hello")));
    const page = bytesOf(rpc("ListTasks", {}));
    let made = 0;
    let before = await contestant.heap();
    for (const size of sizes) {
      progress(`${name}: ${size} tasks`);
      const grown = await fill(contestant, make, size - made);
      made += grown;
      if (size === 10_000) {
        const after = await contestant.heap();
        memory.set(name, ((after - before) / grown) * 10_000);
      }
      before = await contestant.heap();
      const samples: number[] = [];
      for (let i = 0; i < 41; i++) {
        const { requests, seconds } = await hammer(contestant.url, page, 1, 40);
        samples.push((seconds * 1000) / requests);
      }
      latency.set(name, [...(latency.get(name) ?? []), median(samples)]);
    }
    await contestant.stop();
  }
  sizes.forEach((size, index) => {
    const [ours, sdk, raw] = names.map((name) => latency.get(name)![index]!) as [number, number, number];
    table.push([
      `ListTasks, page of 50, ${size.toLocaleString("en")} tasks`,
      "ms",
      ours,
      sdk,
      raw,
      raw / ours,
      sdk / ours,
    ]);
  });
  const [ours, sdk, raw] = names.map((name) => memory.get(name)! / 1e6) as [number, number, number];
  table.push(["heap per 10,000 tasks", "MB", ours, sdk, raw, raw / ours, sdk / ours]);
}

/** Makes about that many tasks; exactly as many as it says. */
async function fill({ url }: Contestant, make: Buffer, count: number): Promise<number> {
  let made = 0;
  while (made < count) made += (await hammer(url, make, 16, Math.min(1000, Math.max(5, (count - made) / 20)))).requests;
  return made;
}

async function startUps(): Promise<void> {
  const times = new Map<Name, number[]>();
  for (let round = 0; round < 7; round++) {
    for (const name of names) {
      const contestant = await start(name);
      times.set(name, [...(times.get(name) ?? []), contestant.startUp]);
      await contestant.stop();
    }
  }
  const [ours, sdk, raw] = names.map((name) => median(times.get(name)!)) as [number, number, number];
  table.push(["start-up to the first answer", "ms", ours, sdk, raw, raw / ours, sdk / ours]);
}

const table: [string, string, number, number, number, number, number][] = [];
const progress = (text: string): boolean => process.stderr.write(`  ${text}\n`);

/** gRPC beside the usual library, which serves the same without checking anything. */
async function overGrpc(): Promise<void> {
  const bytes = (text: string) => grpcV10.writeRequest("SendMessage", message(text));
  const sendPath = grpcV10.path("SendMessage")!;
  const streamPath = grpcV10.path("SendStreamingMessage")!;
  const measured = new Map<string, number[][]>();
  for (let round = 0; round < rounds; round++) {
    progress(`gRPC, round ${round + 1} of ${rounds}`);
    for (const [name, script] of Object.entries(grpcContestants)) {
      const contestant = await launch(name, script);
      const load = grpcLoad(contestant.url);
      const rate = async (path: string, request: Uint8Array) => {
        await load.hammer(path, request, 300);
        return load.hammer(path, request, sliceMs);
      };
      const echo = await rate(sendPath, bytes("message-only hello"));
      const task = await rate(sendPath, bytes("task-lifecycle hello"));
      const times: number[] = [];
      for (let i = 0; i < 9; i++) times.push((await load.once(streamPath, bytes("chunks 1000 16"))).ms);
      measured.set(name, [...(measured.get(name) ?? []), [echo, task, median(times)]]);
      load.close();
      await contestant.stop();
    }
  }
  const rowsOfGrpc = [
    ["echo, gRPC", "calls/s", true],
    ["task-lifecycle, gRPC", "calls/s", true],
    ["one stream, 1000 chunks, gRPC", "ms", false],
  ] as const;
  rowsOfGrpc.forEach(([title, unit, more], index) => {
    const [ours, theirs] = [...measured.values()].map((runs) => median(runs.map((run) => run[index]!))) as [
      number,
      number,
    ];
    grpcTable.push([title, unit, ours, theirs, more ? ours / theirs : theirs / ours]);
  });
}

const grpcTable: [string, string, number, number, number][] = [];

await sideBySide();
await growth();
await startUps();
await overGrpc();

const show = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3));
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
console.log(
  `${rounds} interleaved rounds of ${sliceMs} ms, ${connections} connections, medians. Ratios: above 1 is faster (or smaller).\n`,
);
console.log(`| row | unit | ${names.join(" | ")} | ours vs raw | ours vs SDK |`);
console.log("|---|---|---:|---:|---:|---:|---:|");
for (const [title, unit, ours, sdk, raw, vsRaw, vsSdk] of table) {
  console.log(
    `| ${title} | ${unit} | ${show(ours)} | ${show(sdk)} | ${show(raw)} | ${vsRaw.toFixed(2)} | ${vsSdk.toFixed(2)} |`,
  );
}
console.log(`\n| row | unit | ${Object.keys(grpcContestants).join(" | ")} | ours vs theirs |`);
console.log("|---|---|---:|---:|---:|");
for (const [title, unit, ours, theirs, ratio] of grpcTable) {
  console.log(`| ${title} | ${unit} | ${show(ours)} | ${show(theirs)} | ${ratio.toFixed(2)} |`);
}
