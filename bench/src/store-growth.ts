import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTestbed } from "@assay/agents";
import type { AnswerOf, ListTasksRequest } from "@assay/protocol";
import { type Database, type DatabaseKind, openDatabase, raw, sql } from "@assay/storage";
import { progress, report, sized } from "./results/report.ts";
import { type Cell, cellOf } from "./results/rows.ts";

/**
 * What reading costs when a store holds many tasks. They are copies of one, made by the database itself; what is asked for is
 * asked of the engine, over no network.
 */
const defaultSizes = sized({ short: "1000", standard: "1000,100000,1000000", long: "1000,100000,1000000" });
const { values: flags } = parseArgs({ options: { sizes: { type: "string", default: defaultSizes } } });
const sizes = flags.sizes.split(",").map(Number);
const samples = 101;

type Bed = Awaited<ReturnType<typeof startTestbed>>;
type Page = AnswerOf<"ListTasks">;

const list = (bed: Bed, request: ListTasksRequest): Promise<Page> => bed.perform("spec", "ListTasks", request);

/** What is asked, each many times. */
const questions: Readonly<Record<string, (bed: Bed, known: Known) => Promise<unknown>>> = {
  GetTask: (bed, { id }) => bed.perform("spec", "GetTask", { id }),
  "ListTasks, first page of 50": (bed) => list(bed, {}),
  "ListTasks, the next page by its token": (bed, { token }) => list(bed, { pageToken: token }),
  "ListTasks by state": (bed) => list(bed, { status: "TASK_STATE_COMPLETED" }),
  "ListTasks by a state that few have": (bed) => list(bed, { status: "TASK_STATE_INPUT_REQUIRED" }),
  "ListTasks by context": (bed, { contextId }) => list(bed, { contextId }),
  "ListTasks, status of the last minute": (bed) =>
    list(bed, { statusTimestampAfter: new Date(Date.now() - 60_000).toISOString() }),
  "SendMessage, a new task": (bed) => bed.perform("spec", "SendMessage", said("task-lifecycle hello")),
};

interface Known {
  readonly id: string;
  readonly contextId: string;
  readonly token: string;
}

const said = (text: string) => ({ message: { messageId: "m-1", role: "ROLE_USER" as const, parts: [{ text }] } });

async function grow(store: string, address: string): Promise<Cell[]> {
  const cells: Cell[] = [];
  let made = 0;
  for (const size of sizes) {
    const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "bench", timeScale: 0, store: { address } });
    const { task } = await bed.perform("spec", "SendMessage", said("task-lifecycle hello"));
    await bed.perform("spec", "SendMessage", said("multi-turn hello"));
    await bed.close(0);
    const database = await openDatabase(address);
    await copies(database, task!.id, made, size);
    made = size;
    await database.close();
    const again = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "bench",
      timeScale: 0,
      store: { address },
    });
    const known = { id: task!.id, contextId: task!.contextId!, token: (await list(again, {})).nextPageToken! };
    progress(`${store}, ${size.toLocaleString("en")} tasks`);
    for (const [name, ask] of Object.entries(questions)) {
      const times: number[] = [];
      for (let sample = 0; sample < samples; sample++) {
        const began = performance.now();
        await ask(again, known);
        times.push(performance.now() - began);
      }
      const column = `${size.toLocaleString("en")} tasks`;
      cells.push(cellOf({ name, column, unit: "ms", better: "lower" }, times));
    }
    await again.close(0);
  }
  return cells;
}

const numbers = (kind: DatabaseKind, from: number, to: number) =>
  kind === "postgres"
    ? sql`select generate_series(${from}::bigint, ${to}::bigint) as n`
    : sql`with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted`;

/** Copies of a task, each a moment older than the one before and in a context of its own. */
async function copies(database: Database, id: string, from: number, to: number): Promise<void> {
  const text = database.kind === "postgres" ? raw("::text") : raw("");
  const name = `%${id}%`;
  await database.transaction(async (tx) => {
    await tx.run(sql`
      insert into assay_tasks (key, scope_key, context_key, name, seq, phase, state, time, born, ended_at, worker, bytes, counted, snapshot, snapshot_seq)
      select n${text}, scope_key, n${text}, name, seq, phase, state, time - 1000 - 10 * n, born, ended_at, worker, bytes, counted, snapshot, snapshot_seq
      from assay_tasks, (${numbers(database.kind, from + 1, to)}) as copies where name like ${name}`);
    await tx.run(sql`
      update assay_counts set tasks = tasks + ${to - from} where state = 'TASK_STATE_COMPLETED' and slot = (
        select min(slot) from assay_counts where state = 'TASK_STATE_COMPLETED')`);
  });
  await database.run(sql`analyze`);
}

const folder = mkdtempSync(join(tmpdir(), "assay-growth-"));
const postgres = process.env["BENCH_POSTGRES"];
const stores = {
  SQLite: `sqlite:${join(folder, "tasks.db")}`,
  ...(postgres && { PostgreSQL: postgres }),
};
for (const [store, address] of Object.entries(stores)) report(`${store}, by size`, await grow(store, address));
rmSync(folder, { recursive: true, force: true });
