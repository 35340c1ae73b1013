import { randomUUID } from "node:crypto";
import type { Task, TaskState } from "@assay/protocol/core";
import { type Database, migrate, openDatabase, sql } from "@assay/storage";
import type { StopSignal } from "@assay/wire/server";
import type { DeadLetterRoom } from "../dead-letter.ts";
import {
  type TaskEvent,
  type TaskFilter,
  type TaskLog,
  type TaskPage,
  type TaskStore,
  TaskStranded,
} from "../store.ts";
import { CallerCounts } from "./callers.ts";
import { ChangeNews } from "./change-news.ts";
import { StoredDeadLetters } from "./dead-letters.ts";
import { Followers, SqlFollower } from "./follower.ts";
import { digestOf, keyOf } from "./keys.ts";
import { StoredOutbox } from "./outbox.ts";
import { taskMigrations } from "./schema.ts";
import { type SnapshotRow, tasksIn } from "./snapshots.ts";
import { StoreRoom } from "./store-room.ts";
import { StoredLogins } from "./stored-logins.ts";
import { rests, TaskRows } from "./task-rows.ts";
import { type Retention, StoreUpkeep, type TaskName } from "./upkeep.ts";
import { Walks } from "./walk.ts";
import { WebhookRecords } from "./webhook-records.ts";

export interface SqlStoreOptions {
  readonly retention: Retention;
  /** maximum number of open tasks of one caller */
  readonly openTasks?: number;
  /** maximum size of one task */
  readonly taskBytes: number;
  /** how long a silent server is assumed to be working */
  readonly leaseMs: number;
  /** called when another server asks a local task to stop, or has ended it */
  readonly onStop: (name: TaskName) => void;
  readonly onError: (error: unknown) => void;
}

const dayMs = 86_400_000;

const defaults: SqlStoreOptions = {
  retention: { tasks: 1_000_000, ms: 30 * dayMs, bytes: 10 * 1024 ** 3 },
  taskBytes: 96 * 1024 * 1024,
  leaseMs: 15_000,
  onStop: () => {},
  onError: () => {},
};

/** Opens a task store in a database and migrates its tables. */
export async function openSqlStore(
  address: string,
  now: () => number,
  options: Partial<SqlStoreOptions> = {},
): Promise<SqlStore> {
  const database = await openDatabase(address, { alone: true });
  try {
    await migrate(database, "tasks", taskMigrations);
    const store = new SqlStore(database, now, options);
    await store.begin();
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Stores tasks in a database. When a promise of this store resolves, its result is on disk. */
export class SqlStore implements TaskStore {
  readonly upkeep: StoreUpkeep;
  readonly webhooks: WebhookRecords;
  readonly outbox: StoredOutbox;
  readonly logins: StoredLogins;
  readonly #database: Database;
  readonly #options: SqlStoreOptions;
  readonly #now: () => number;
  readonly #walks: Walks;
  readonly #rows: TaskRows;
  readonly #room: StoreRoom;
  readonly #news: ChangeNews;
  readonly #followers = new Followers();
  /** the tasks that this server works on */
  readonly #working = new Set<string>();
  /** the tasks whose end could not be written yet */
  readonly #stranded = new Set<string>();

  constructor(database: Database, now: () => number, options: Partial<SqlStoreOptions> = {}) {
    this.#database = database;
    this.#now = now;
    this.#options = { ...defaults, ...options };
    const { leaseMs, taskBytes, onError } = this.#options;
    const worker = randomUUID();
    const callers = new CallerCounts(database);
    this.#walks = new Walks(database, now);
    this.webhooks = new WebhookRecords(database);
    this.logins = new StoredLogins(database);
    this.upkeep = new StoreUpkeep(database, now, { id: worker, leaseMs }, ({ scope, id }) => this.remove(scope, id));
    this.outbox = new StoredOutbox(database, worker, onError);
    this.#rows = new TaskRows(database, { now, callers, worker, taskBytes });
    this.#room = new StoreRoom(this.#options, callers, this.upkeep);
    this.#news = new ChangeNews(database, {
      worker,
      onChanged: (keys) => this.#heard(keys),
      onLook: () => this.#look(),
      onError,
    });
  }

  /** Registers this server in the store. */
  async begin(): Promise<void> {
    await this.upkeep.renew();
    if (this.#database.kind === "sqlite") await this.upkeep.outliveOthers();
    await this.#news.begin();
    await this.tidy();
  }

  /** number of tasks, recently counted */
  get size(): number {
    return this.#room.size;
  }

  /** number of tasks in each state */
  async byState(): Promise<ReadonlyMap<TaskState, number>> {
    const rows = await this.#database.all<{ state: TaskState; tasks: number }>(
      sql`select state, cast(sum(tasks) as bigint) as tasks from assay_counts group by state`,
    );
    return new Map(rows.map(({ state, tasks }) => [state, tasks]));
  }

  /** Rejects if the database is unreachable or read-only. */
  answers(): Promise<unknown> {
    return this.upkeep.renew();
  }

  /** Deletes expired tasks. */
  tidy(): Promise<void> {
    return this.#room.tidy();
  }

  /** Returns a secret that all servers of the store share; created on first use. */
  async secret(name: string, make: () => string | Promise<string>): Promise<string> {
    const find = () => this.#database.all<{ value: string }>(sql`select value from assay_secrets where name = ${name}`);
    const [known] = await find();
    if (known) return known.value;
    const value = await make();
    await this.#database.run(
      sql`insert into assay_secrets (name, value) values (${name}, ${value}) on conflict (name) do nothing`,
    );
    return (await find())[0]!.value;
  }

  /** Returns the store of undelivered notifications. */
  deadLetters(room?: DeadLetterRoom): StoredDeadLetters {
    return new StoredDeadLetters(this.#database, this.#options.onError, room);
  }

  create(scope: string, task: Task, account = ""): Promise<void> {
    return this.#create(scope, task, account, false);
  }

  replace(scope: string, task: Task, account = ""): Promise<void> {
    return this.#create(scope, task, account, true);
  }

  async #create(scope: string, task: Task, account: string, replaces: boolean): Promise<void> {
    const accountKey = digestOf(account);
    await this.#room.make(accountKey);
    const key = keyOf(scope, task.id);
    this.#room.add(await this.#rows.add(key, scope, task, accountKey, replaces));
    this.#working.add(key);
    this.webhooks.seen(key, 0);
  }

  async append(scope: string, id: string, expectedSeq: number, events: readonly TaskEvent[]): Promise<number> {
    const key = keyOf(scope, id);
    const webhooks = await this.#rows.append(key, id, expectedSeq, events);
    if (events.some(rests)) this.#working.delete(key);
    this.#stranded.delete(key);
    this.webhooks.seen(key, webhooks);
    this.#followers.hand(key, expectedSeq, events);
    this.#news.tell(key);
    return expectedSeq + events.length;
  }

  async snapshot(scope: string, id: string): Promise<{ task: Task; seq: number } | undefined> {
    const rows = await this.#database.all<SnapshotRow>(
      sql`select key, seq, snapshot, snapshot_seq from assay_tasks where key = ${keyOf(scope, id)}`,
    );
    const [task] = await tasksIn(this.#database, rows);
    return task && { task, seq: rows[0]!.seq };
  }

  follow(scope: string, id: string, seq: number, signal: StopSignal): TaskLog {
    const key = keyOf(scope, id);
    if (this.#stranded.has(key)) throw stranded();
    return new SqlFollower(this.#database, this.#followers, key, seq, signal);
  }

  /**
   * Fails the followers of a task whose end could not be written, so that they do not wait and can come back
   * later.
   */
  strand({ scope, id }: TaskName): void {
    const key = keyOf(scope, id);
    this.#stranded.add(key);
    this.#working.delete(key);
    this.#followers.fail(key, stranded());
  }

  list(scope: string, filter: TaskFilter, size: number, cursor?: string): Promise<TaskPage> {
    return this.#walks.page(scope, filter, size, cursor);
  }

  async claim(scope: string, id: string, owner: string, until: number): Promise<boolean> {
    const key = keyOf(scope, id);
    const { worker } = this.upkeep;
    const claimed = await this.#database.transaction((tx) =>
      tx.all(sql`
        update assay_tasks set owner = ${owner}, lease_until = ${until}, worker = ${worker}, canceling = 0
        where key = ${key} and (owner is null or lease_until <= ${this.#now()})
        returning key`),
    );
    if (claimed.length > 0) this.#working.add(key);
    return claimed.length > 0;
  }

  async renew(scope: string, id: string, owner: string, until: number): Promise<void> {
    await this.#database.run(
      sql`update assay_tasks set lease_until = ${until} where key = ${keyOf(scope, id)} and owner = ${owner}`,
    );
  }

  async release(scope: string, id: string, owner: string): Promise<void> {
    await this.#database.run(
      sql`update assay_tasks set owner = null, lease_until = null where key = ${keyOf(scope, id)} and owner = ${owner}`,
    );
  }

  async remove(scope: string, id: string): Promise<void> {
    const key = keyOf(scope, id);
    await this.#rows.remove(key);
    this.#stranded.delete(key);
    this.#followers.wake(key);
    this.#news.tell(key);
  }

  isElsewhere(scope: string, id: string): Promise<boolean> {
    return this.#database.kind === "sqlite" ? Promise.resolve(false) : this.upkeep.isElsewhere(scope, id);
  }

  async close(): Promise<void> {
    await this.#news.close();
    await this.#database.close();
  }

  #heard(keys: readonly string[]): void {
    for (const key of keys) this.#followers.wake(key);
    if (keys.some((key) => this.#working.has(key))) void this.#stop();
  }

  #look(): void {
    void this.#followers.look(this.#database).catch(this.#options.onError);
    void this.#stop();
  }

  /** Handles stop requests of other servers. */
  async #stop(): Promise<void> {
    try {
      for (const name of await this.upkeep.stopped()) this.#options.onStop(name);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

const stranded = (): TaskStranded => new TaskStranded("the end of the task could not be written");
