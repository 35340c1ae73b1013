import { startTestbed } from "@assay/agents";
import type { AnswerOf, ListTasksRequest } from "@assay/protocol";
import { type Database, openDatabase, raw, sql } from "@assay/storage";
import { aMinuteAgo, contextOfCopy, type GrownStore, keyOfCopy, longAgo, names, numbers } from "./grown-store.ts";

const said = (text: string) => ({ message: { messageId: "m-1", role: "ROLE_USER" as const, parts: [{ text }] } });

/** Opens the test bed's store in this database. */
export async function testbedStore(address: string): Promise<GrownStore> {
  const retention = { tasks: 10_000_000, bytes: 1e12, ms: 1e12 };
  const start = () =>
    startTestbed({ host: "127.0.0.1", port: 0, version: "bench", timeScale: 0, store: { address, retention } });
  let bed = await start();
  const list = (request: ListTasksRequest): Promise<AnswerOf<"ListTasks">> => bed.perform("spec", "ListTasks", request);
  const send = () => bed.perform("spec", "SendMessage", said("task-lifecycle hello"));
  const { task } = await send();
  const { id, contextId } = task!;
  const status = "TASK_STATE_COMPLETED";
  let made = 0;
  let nextPage = "";

  /** Checks the total of a list. The store counts totals separately, so a wrong one would spoil the measurement. */
  async function check(request: ListTasksRequest, expected: number): Promise<void> {
    const { totalSize } = await list(request);
    if (totalSize < expected) throw new Error(`${JSON.stringify(request)}: ${totalSize} tasks, expected ${expected}`);
  }

  return {
    async grow(size) {
      await bed.close(0);
      const database = await openDatabase(address);
      await copy(database, id, made + 1, size);
      await database.close();
      made = size;
      bed = await start();
      await check({ statusTimestampAfter: longAgo }, size);
      await check({ contextId: contextId! }, size / 2);
      nextPage = (await list({})).nextPageToken;
    },
    questions: {
      [names.get]: () => bed.perform("spec", "GetTask", { id }),
      [names.first]: () => list({}),
      [names.next]: () => list({ pageToken: nextPage }),
      [names.state]: () => list({ status }),
      [names.context]: () => list({ contextId: contextId! }),
      [names.contextAndState]: () => list({ contextId: contextId!, status }),
      [names.contextAndTime]: () => list({ contextId: contextId!, statusTimestampAfter: longAgo }),
      [names.time]: () => list({ statusTimestampAfter: longAgo }),
      [names.lastMinute]: () => list({ statusTimestampAfter: aMinuteAgo() }),
      [names.send]: send,
    },
    close: () => bed.close(0),
  };
}

/** Copies a task; each copy is a moment older than the previous one. */
async function copy(database: Database, id: string, from: number, to: number): Promise<void> {
  const { kind } = database;
  const key = raw(keyOfCopy(kind));
  await database.transaction(async (tx) => {
    // Creating the indexes afterwards is faster than updating them row by row.
    const indexes = await tx.all<{ name: string; definition: string }>(
      kind === "postgres"
        ? sql`select indexname as name, indexdef as definition from pg_indexes
            where tablename = 'assay_tasks' and indexname <> 'assay_tasks_pkey'`
        : sql`select name, sql as definition from sqlite_master
            where tbl_name = 'assay_tasks' and type = 'index' and sql is not null`,
    );
    for (const { name } of indexes) await tx.run(raw(`drop index ${name}`));
    await tx.run(sql`
      insert into assay_tasks (key, scope_key, context_key, name, seq, phase, state, time, born, ended_at, worker, bytes, counted, snapshot, snapshot_seq)
      select ${key}, scope_key, ${raw(contextOfCopy(kind, "context_key"))}, name, seq, phase, state, time - 1000 - 10 * n, born, ended_at, worker,
        bytes, counted, snapshot, snapshot_seq
      from assay_tasks, ${raw(numbers(kind, from, to))} where name like ${`%${id}%`} and length(key) > 10`);
    await tx.run(sql`
      update assay_counts set tasks = tasks + ${to - from + 1} where state = 'TASK_STATE_COMPLETED' and slot = (
        select min(slot) from assay_counts where state = 'TASK_STATE_COMPLETED')`);
    for (const { definition } of indexes) await tx.run(raw(definition));
    // The next start repeats the migration, which counts the copies.
    await tx.run(sql`drop table assay_totals`);
    await tx.run(sql`drop index assay_tasks_running`);
    await tx.run(sql`delete from assay_migrations where name = 'tasks' and version = 6`);
  });
  await database.run(sql`analyze`);
}
