import { randomInt, randomUUID } from "node:crypto";
import { isResting, isTerminal, type Task, type TaskState } from "@assay/protocol/core";
import { type Database, joined, migrate, openDatabase, type Query, raw, type Sql, sql } from "@assay/storage";
import { BudgetExceeded } from "@assay/wire/server";
import { applyEvent } from "../apply.ts";
import type { DeadLetterRoom } from "../dead-letter.ts";
import {
  CallerFull,
  SequenceConflict,
  StoreFull,
  type TaskEvent,
  type TaskFilter,
  type TaskLog,
  type TaskPage,
  type TaskStore,
  TaskStranded,
} from "../store.ts";
import { CallerCounts } from "./callers.ts";
import { StoredDeadLetters } from "./dead-letters.ts";
import { Followers, SqlFollower } from "./follower.ts";
import { digestOf, keyOf, nameOf } from "./keys.ts";
import { type Moments, momentsOf } from "./moments.ts";
import { StoredOutbox } from "./outbox.ts";
import { endedPhase, phaseOf } from "./phases.ts";
import { taskMigrations } from "./schema.ts";
import { type SnapshotRow, tasksIn } from "./snapshots.ts";
import { StoredLogins } from "./stored-logins.ts";
import { type Held, type Retention, StoreUpkeep, type TaskName } from "./upkeep.ts";
import { Walks } from "./walk.ts";
import { WebhookRecords } from "./webhook-records.ts";

export interface SqlStoreOptions {
  readonly retention: Retention;
  /** how many tasks of one caller may be open */
  readonly openTasks?: number;
  /** what one task may take */
  readonly taskBytes: number;
  /** how long a server that is not heard of is taken to be at work */
  readonly leaseMs: number;
  /** a task that is worked on here was asked, or made, to stop by another server */
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

interface PlacedRow {
  readonly seq: number;
  readonly phase: number;
  readonly state: TaskState;
  readonly time: number;
  readonly scope_key: string;
  readonly account_key: string;
  readonly context_key: string | null;
  readonly born: number;
  readonly bytes: number;
  /** of these bytes, what stands in the count of all tasks: it is brought up to date with every status */
  readonly counted: number;
  readonly webhooks: number;
  readonly snapshot_seq: number;
}

/** A state, and by how many tasks and bytes its count changes. */
type CountChange = readonly [TaskState, tasks: number, bytes: number];

/** A snapshot is written again when it lags so many events behind; until then they are read with it. */
const mostBehind = 64;
/** As many rows as one statement adds. */
const rowsAtOnce = 200;
const channel = "assay_tasks";
/** Servers that share a store are told what has changed once in so many milliseconds, and look for themselves now and then. */
const tellMs = 5;
const lookMs = 2_000;
/** As many keys as are told at once: what is told is at most 8,000 bytes long. */
const mostTold = 300;

/** Opens a store of tasks in a database, and brings its tables up to date. */
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

/** Tasks in a database: what a promise of this store says is on disk when it is kept. */
export class SqlStore implements TaskStore {
  readonly upkeep: StoreUpkeep;
  readonly webhooks: WebhookRecords;
  readonly outbox: StoredOutbox;
  readonly logins: StoredLogins;
  readonly #database: Database;
  readonly #options: SqlStoreOptions;
  readonly #now: () => number;
  readonly #moments: Moments;
  readonly #walks: Walks;
  readonly #callers: CallerCounts;
  readonly #followers = new Followers();
  /** the tasks that are worked on here */
  readonly #working = new Set<string>();
  /** the tasks whose end could not be written yet */
  readonly #stranded = new Set<string>();
  /** what has changed and was not told yet */
  #untold = new Set<string>();
  #telling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #tidying: Promise<void> | undefined;
  /** what there is, as of late */
  #held: Held = { tasks: 0, bytes: 0 };

  constructor(database: Database, now: () => number, options: Partial<SqlStoreOptions> = {}) {
    this.#database = database;
    this.#now = now;
    this.#options = { ...defaults, ...options };
    this.#moments = momentsOf(database.kind);
    this.#walks = new Walks(database, now);
    this.#callers = new CallerCounts(database);
    this.webhooks = new WebhookRecords(database);
    this.logins = new StoredLogins(database);
    const worker = { id: randomUUID(), leaseMs: this.#options.leaseMs };
    this.upkeep = new StoreUpkeep(database, now, worker, ({ scope, id }) => this.remove(scope, id));
    this.outbox = new StoredOutbox(database, worker.id, this.#options.onError);
  }

  /** Takes its place among those who share the store. */
  async begin(): Promise<void> {
    await this.upkeep.renew();
    if (this.#database.kind === "sqlite") await this.upkeep.outliveOthers();
    await this.#database.listen(
      channel,
      (words) => this.#heard(words),
      () => this.#look(),
    );
    if (this.#database.kind === "postgres") this.#looking = setInterval(() => this.#look(), lookMs).unref();
    await this.tidy();
  }

  /** how many tasks there are, as of late */
  get size(): number {
    return this.#held.tasks;
  }

  /** how many tasks there are in each state */
  async byState(): Promise<ReadonlyMap<TaskState, number>> {
    const rows = await this.#database.all<{ state: TaskState; tasks: number }>(
      sql`select state, cast(sum(tasks) as bigint) as tasks from assay_counts group by state`,
    );
    return new Map(rows.map(({ state, tasks }) => [state, tasks]));
  }

  /** Rejects where the database cannot be reached, or takes no writes. */
  answers(): Promise<unknown> {
    return this.upkeep.renew();
  }

  /** Forgets what is kept no longer; leaves a part of the room free where that is asked for. */
  async tidy(free = 0): Promise<void> {
    const { tasks, bytes, ...rest } = this.#options.retention;
    const keep = (most: number): number => most - Math.ceil(most * free);
    this.#held = await this.upkeep.forgetOld({ tasks: keep(tasks), bytes: keep(bytes), ...rest });
  }

  /** What all who share the store know and others do not; made where there is none yet. */
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

  /** Where undelivered notifications are kept. */
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
    await this.#makeRoomFor(accountKey);
    if (this.#isFull()) await this.#makeRoom();
    const key = keyOf(scope, task.id);
    const created: TaskEvent = { is: "created", task };
    const [json, event] = [JSON.stringify(task), JSON.stringify(created)];
    const { state } = task.status;
    const time = this.#timeOf(task.status);
    const contextKey = task.contextId === undefined ? null : digestOf(task.contextId);
    await this.#database.transaction(async (tx) => {
      if (replaces) await this.#remove(tx, key);
      await this.#moments.advance(tx);
      const added = await tx.all(sql`
        insert into assay_tasks (key, scope_key, account_key, context_key, name, seq, phase, state, time, born, ended_at,
          worker, bytes, counted, snapshot, snapshot_seq)
        values (${key}, ${digestOf(scope)}, ${accountKey}, ${contextKey}, ${nameOf(scope, task.id)}, 1, ${phaseOf(state)}, ${state}, ${time},
          ${this.#moments.current}, ${isTerminal(state) ? this.#now() : null}, ${this.upkeep.worker}, ${json.length},
          ${json.length}, ${json}, 1)
        on conflict (key) do nothing returning key`);
      if (added.length === 0) throw new SequenceConflict(`task ${task.id} is there already`);
      await tx.run(
        eventRows(key, 0, [event]),
        this.#counted(digestOf(scope), [[state, 1, json.length]]),
        this.#callers.changed(accountKey, { tasks: 1, open: isTerminal(state) ? 0 : 1, bytes: json.length }),
      );
    });
    this.#held = { tasks: this.#held.tasks + 1, bytes: this.#held.bytes + json.length };
    this.#working.add(key);
    this.webhooks.seen(key, 0);
  }

  /** What one caller has too much of makes room for what it brings: ended tasks go, open ones do not. */
  async #makeRoomFor(accountKey: string): Promise<void> {
    const { openTasks = Number.POSITIVE_INFINITY, retention } = this.#options;
    const { caller } = retention;
    if (openTasks === Number.POSITIVE_INFINITY && !caller) return;
    const held = await this.#callers.of(accountKey);
    if (held.open >= openTasks) throw new CallerFull(`${openTasks} tasks of this caller are open, as many as may be`);
    if (!caller || (held.tasks < caller.tasks && held.bytes < caller.bytes)) return;
    const left = await this.upkeep.forgetOldOf(accountKey, { tasks: caller.tasks - 1, bytes: caller.bytes - 1 });
    if (left.tasks >= caller.tasks || left.bytes >= caller.bytes)
      throw new CallerFull("The open tasks of this caller take all that one caller has here");
  }

  #isFull(): boolean {
    const { tasks, bytes } = this.#options.retention;
    return this.#held.tasks >= tasks || this.#held.bytes >= bytes;
  }

  /** For several at once: those who come next need not look. Open tasks are not forgotten for new ones. */
  async #makeRoom(): Promise<void> {
    this.#tidying ??= this.tidy(0.01).finally(() => {
      this.#tidying = undefined;
    });
    await this.#tidying;
    if (this.#isFull()) throw new StoreFull("the tasks that are open take all there is");
  }

  async append(scope: string, id: string, expectedSeq: number, events: readonly TaskEvent[]): Promise<number> {
    const key = keyOf(scope, id);
    const texts = events.map((event) => JSON.stringify(event));
    const row =
      (events.every(grows) && (await this.#extended(key, expectedSeq, texts))) ||
      (await this.#database.transaction(async (tx) => {
        const found = await this.#placed(tx, key);
        if (!found || found.phase === endedPhase || found.seq !== expectedSeq) {
          const place = !found || found.phase === endedPhase ? "its end" : found.seq;
          throw new SequenceConflict(`task ${id} is at ${place}, not at ${expectedSeq}`);
        }
        await this.#write(tx, key, found, events, texts);
        return found;
      }));
    if (events.some(rests)) this.#working.delete(key);
    this.#stranded.delete(key);
    this.webhooks.seen(key, row.webhooks);
    this.#followers.hand(key, expectedSeq, events);
    this.#tell(key);
    return expectedSeq + events.length;
  }

  /**
   * Adds to the log what changes nothing else, as most events of streams do, in one statement: the ways to PostgreSQL and back are what an event costs
   * there. Nothing is added, and nothing returned, where more has to be done or said.
   */
  async #extended(
    key: string,
    expectedSeq: number,
    texts: readonly string[],
  ): Promise<Pick<PlacedRow, "webhooks"> | undefined> {
    if (this.#database.kind === "sqlite" || texts.length > rowsAtOnce) return undefined;
    const seq = expectedSeq + texts.length;
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    const rows = texts.map((text, index) => sql`(${expectedSeq + index + 1}::bigint, ${text}::text)`);
    const [row] = await this.#database.write<Pick<PlacedRow, "webhooks">>(sql`
      with placed as (
        update assay_tasks set seq = ${seq}, bytes = bytes + ${bytes}
        where key = ${key} and seq = ${expectedSeq} and phase <> ${endedPhase} and bytes + ${bytes} <= ${this.#options.taskBytes}
          and snapshot_seq > ${seq - mostBehind}
        returning key, webhooks
      ), added as (
        insert into assay_events (key, seq, event)
        select placed.key, told.seq, told.event from placed, (values ${joined(rows, ", ")}) as told (seq, event)
      ) select webhooks from placed`);
    return row;
  }

  async #placed(tx: Sql, key: string): Promise<PlacedRow | undefined> {
    const lock = raw(this.#database.kind === "postgres" ? "for update" : "");
    const [row] = await tx.all<PlacedRow>(sql`
      select seq, phase, state, time, scope_key, account_key, context_key, born, bytes, counted, webhooks, snapshot_seq
      from assay_tasks where key = ${key} ${lock}`);
    return row;
  }

  async #write(
    tx: Sql,
    key: string,
    row: PlacedRow,
    events: readonly TaskEvent[],
    texts: readonly string[],
  ): Promise<void> {
    const bytes = texts.reduce((sum, text) => sum + text.length, row.bytes);
    const { taskBytes } = this.#options;
    if (bytes > taskBytes && events.some(grows))
      throw new BudgetExceeded("caller-budget", { caller: taskBytes, total: taskBytes });
    const seq = row.seq + events.length;
    const status = events.findLast((event) => event.is === "status")?.status;
    const isCanceling = events.some(({ is }) => is === "cancel-requested");
    const isWorthKeeping = events.some(rests) || seq - row.snapshot_seq >= mostBehind;
    const changes = [
      sql`seq = ${seq}, bytes = ${bytes}`,
      ...(isCanceling ? [sql`canceling = 1`] : []),
      ...(status ? [...(await this.#move(tx, key, row, status)), sql`counted = ${bytes}`] : []),
      ...(isWorthKeeping ? [await this.#snapshot(tx, key, events, seq)] : []),
    ];
    const steps = [sql`update assay_tasks set ${joined(changes, ", ")} where key = ${key}`];
    for (let at = 0; at < texts.length; at += rowsAtOnce)
      steps.push(eventRows(key, row.seq + at, texts.slice(at, at + rowsAtOnce)));
    if (status)
      steps.push(
        this.#counted(row.scope_key, countChanges(row, status.state, bytes)),
        this.#callers.changed(row.account_key, {
          tasks: 0,
          open: isTerminal(status.state) ? -1 : 0,
          bytes: bytes - row.counted,
        }),
      );
    await tx.run(...steps);
  }

  /** A status puts a task in another place; the old one stays for the walks that began before. */
  async #move(tx: Sql, key: string, row: PlacedRow, status: Task["status"]): Promise<Query[]> {
    await this.#moments.advance(tx);
    const { current } = this.#moments;
    await tx.run(sql`
      insert into assay_left_places (scope_key, context_key, state, time, key, born, died, left_at)
      values (${row.scope_key}, ${row.context_key}, ${row.state}, ${row.time}, ${key}, ${row.born}, ${current}, ${this.#now()})`);
    const { state } = status;
    return [
      sql`state = ${state}, phase = ${phaseOf(state)}, time = ${this.#timeOf(status)}, born = ${current}`,
      ...(isTerminal(state) ? [sql`ended_at = ${this.#now()}`] : []),
      // With the event, not after it: a client that answers at once must find the task free.
      ...(isResting(state) ? [sql`owner = null, lease_until = null`] : []),
    ];
  }

  async #snapshot(tx: Sql, key: string, events: readonly TaskEvent[], seq: number): Promise<Query> {
    const rows = await tx.all<SnapshotRow>(
      sql`select key, seq, snapshot, snapshot_seq from assay_tasks where key = ${key}`,
    );
    const [task] = await tasksIn(tx, rows);
    for (const event of events) applyEvent(task!, event);
    return sql`snapshot = ${JSON.stringify(task)}, snapshot_seq = ${seq}`;
  }

  async snapshot(scope: string, id: string): Promise<{ task: Task; seq: number } | undefined> {
    const rows = await this.#database.all<SnapshotRow>(
      sql`select key, seq, snapshot, snapshot_seq from assay_tasks where key = ${keyOf(scope, id)}`,
    );
    const [task] = await tasksIn(this.#database, rows);
    return task && { task, seq: rows[0]!.seq };
  }

  follow(scope: string, id: string, seq: number, signal: AbortSignal): TaskLog {
    const key = keyOf(scope, id);
    if (this.#stranded.has(key)) throw stranded();
    return new SqlFollower(this.#database, this.#followers, key, seq, signal);
  }

  /** The end of a task could not be written: who follows it is not left waiting, and may come back when it could. */
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
    await this.#database.transaction((tx) => this.#remove(tx, key));
    this.#stranded.delete(key);
    this.#followers.wake(key);
    this.#tell(key);
  }

  isElsewhere(scope: string, id: string): Promise<boolean> {
    return this.#database.kind === "sqlite" ? Promise.resolve(false) : this.upkeep.isElsewhere(scope, id);
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    clearTimeout(this.#telling);
    await this.#tellNow();
    await this.#database.close();
  }

  async #remove(tx: Sql, key: string): Promise<void> {
    const row = await this.#placed(tx, key);
    if (!row) return;
    await tx.run(
      sql`delete from assay_tasks where key = ${key}`,
      sql`delete from assay_events where key = ${key}`,
      sql`delete from assay_webhooks where key = ${key}`,
      this.#counted(row.scope_key, [[row.state, -1, -row.counted]]),
      this.#callers.changed(row.account_key, {
        tasks: -1,
        open: row.phase === endedPhase ? 0 : -1,
        bytes: -row.counted,
      }),
    );
  }

  /** Adds to what is counted of these states, always in the same order: so no two writers wait for each other. */
  #counted(scopeKey: string, changes: readonly CountChange[]): Query {
    const slot = this.#database.kind === "sqlite" ? 0 : randomInt(16);
    const rows = changes
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([state, tasks, bytes]) => sql`(${scopeKey}, ${state}, ${slot}, ${tasks}, ${bytes})`);
    return sql`insert into assay_counts (scope_key, state, slot, tasks, bytes) values ${joined(rows, ", ")}
      on conflict (scope_key, state, slot) do update
      set tasks = assay_counts.tasks + excluded.tasks, bytes = assay_counts.bytes + excluded.bytes`;
  }

  /** Statuses of the engine always say when; one that does not is as new as its arrival. */
  #timeOf({ timestamp }: Task["status"]): number {
    return timestamp === undefined ? this.#now() : Date.parse(timestamp);
  }

  #tell(key: string): void {
    if (this.#database.kind === "sqlite") return;
    this.#untold.add(key);
    this.#telling ??= setTimeout(() => void this.#tellNow(), tellMs);
  }

  async #tellNow(): Promise<void> {
    this.#telling = undefined;
    const keys = [...this.#untold];
    this.#untold = new Set();
    for (let at = 0; at < keys.length; at += mostTold) {
      const words = [this.upkeep.worker, ...keys.slice(at, at + mostTold)].join(" ");
      // Those who do not hear it look for themselves before long.
      await this.#database.tell(channel, words).catch(this.#options.onError);
    }
  }

  #heard(words: string): void {
    const [from, ...keys] = words.split(" ");
    if (from === this.upkeep.worker) return;
    for (const key of keys) this.#followers.wake(key);
    if (keys.some((key) => this.#working.has(key))) void this.#stop();
  }

  #look(): void {
    void this.#followers.look(this.#database).catch(this.#options.onError);
    void this.#stop();
  }

  /** What others want stopped. */
  async #stop(): Promise<void> {
    try {
      for (const name of await this.upkeep.stopped()) this.#options.onStop(name);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

const stranded = (): TaskStranded => new TaskStranded("the end of the task could not be written");

const eventRows = (key: string, seq: number, texts: readonly string[]): Query =>
  sql`insert into assay_events (key, seq, event) values ${joined(
    texts.map((text, index) => sql`(${key}, ${seq + index + 1}, ${text})`),
    ", ",
  )}`;

const countChanges = ({ state, counted }: PlacedRow, next: TaskState, bytes: number): CountChange[] =>
  state === next
    ? [[state, 0, bytes - counted]]
    : [
        [state, -1, -counted],
        [next, 1, bytes],
      ];

/** The task rests with it: it has ended, or waits for its client. */
const rests = (event: TaskEvent): boolean => event.is === "status" && isResting(event.status.state);

/** What may take a lot of room. */
const grows = (event: TaskEvent): boolean => event.is === "artifact" || event.is === "message";
