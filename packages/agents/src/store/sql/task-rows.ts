import { isResting, isTerminal, type Task, type TaskState } from "@assay/protocol/core";
import { type Database, joined, type Query, raw, type Sql, sql } from "@assay/storage";
import { BudgetExceeded } from "@assay/wire/server";
import { applyEvent } from "../apply.ts";
import { SequenceConflict, type TaskEvent } from "../store.ts";
import type { CallerCounts } from "./callers.ts";
import { digestOf, nameOf, slotOf } from "./keys.ts";
import { type Moments, momentsOf } from "./moments.ts";
import { endedPhase, phaseOf } from "./phases.ts";
import { tasksIn } from "./snapshots.ts";
import { type Counted, type StatusPlace, Totals } from "./totals.ts";

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
  /** the part of these bytes in the total count, which is updated with every status */
  readonly counted: number;
  readonly webhooks: number;
  readonly snapshot_seq: number;
  readonly snapshot?: string;
}

/** A state, and the change of its count in tasks and bytes. */
type CountChange = readonly [TaskState, tasks: number, bytes: number];

/** Maximum number of events between snapshots; newer events are read in addition. */
const mostBehind = 64;
/** Maximum number of rows that one statement adds. */
const rowsAtOnce = 200;

interface TaskRowsOptions {
  readonly now: () => number;
  readonly callers: CallerCounts;
  /** the writing server */
  readonly worker: string;
  /** maximum size of one task */
  readonly taskBytes: number;
}

/** Writes the rows of tasks: the task, its events, and its counts. */
export class TaskRows {
  readonly #database: Database;
  readonly #options: TaskRowsOptions;
  readonly #moments: Moments;
  readonly #totals: Totals;

  constructor(database: Database, options: TaskRowsOptions) {
    this.#database = database;
    this.#options = options;
    this.#moments = momentsOf(database.kind);
    this.#totals = new Totals(database.kind);
  }

  /** Adds a task or replaces one with its id; returns its size in bytes. */
  async add(key: string, scope: string, task: Task, accountKey: string, replaces: boolean): Promise<number> {
    const created: TaskEvent = { is: "created", task };
    const [json, event] = [JSON.stringify(task), JSON.stringify(created)];
    const { state } = task.status;
    const { now, callers, worker } = this.#options;
    const time = this.#timeOf(task.status);
    const contextKey = task.contextId === undefined ? null : digestOf(task.contextId);
    const insertion = sql`
      insert into assay_tasks (key, scope_key, account_key, context_key, name, seq, phase, state, time, born, ended_at,
        worker, bytes, counted, snapshot, snapshot_seq)
      values (${key}, ${digestOf(scope)}, ${accountKey}, ${contextKey}, ${nameOf(scope, task.id)}, 1, ${phaseOf(state)}, ${state}, ${time},
        ${this.#moments.current}, ${isTerminal(state) ? now() : null}, ${worker}, ${json.length},
        ${json.length}, ${json}, 1)`;
    const others = [
      eventRows(key, 0, [event]),
      this.#counted(key, digestOf(scope), [[state, 1, json.length]]),
      callers.changed(accountKey, key, { tasks: 1, open: isTerminal(state) ? 0 : 1, bytes: json.length }),
      ...this.#totals.moved({ key, scopeKey: digestOf(scope), contextKey }, undefined, { state, time }),
    ];
    const exists = (): never => {
      throw new SequenceConflict(`task ${task.id} already exists`);
    };
    // One statement instead of a transaction: round trips to PostgreSQL are the main cost.
    if (this.#database.kind === "postgres" && !replaces)
      await this.#database
        .run(insertion, ...others)
        .catch((error) => (isDuplicate(error) ? exists() : Promise.reject(error)));
    else
      await this.#database.transaction(async (tx) => {
        if (replaces) await this.#remove(tx, key);
        await this.#moments.advance(tx);
        const added = await tx.all(sql`${insertion} on conflict (key) do nothing returning key`);
        if (added.length === 0) exists();
        await tx.run(...others);
      });
    return json.length;
  }

  /** Appends events to the log of a task; returns its number of webhooks. */
  async append(key: string, id: string, expectedSeq: number, events: readonly TaskEvent[]): Promise<number> {
    const texts = events.map((event) => JSON.stringify(event));
    const row =
      (events.every(grows) && (await this.#extended(key, expectedSeq, texts))) ||
      (await this.#database.transaction(async (tx) => {
        const found = await this.#placed(tx, key, events.some(rests));
        if (!found || found.phase === endedPhase || found.seq !== expectedSeq) {
          const place = !found || found.phase === endedPhase ? "its end" : found.seq;
          throw new SequenceConflict(`task ${id} is at ${place}, not at ${expectedSeq}`);
        }
        await this.#write(tx, key, found, events, texts);
        return found;
      }));
    return row.webhooks;
  }

  async remove(key: string): Promise<void> {
    await this.#database.transaction((tx) => this.#remove(tx, key));
  }

  /**
   * Appends events that change nothing else, as most stream events do, in one statement, because round trips
   * to PostgreSQL are the main cost. Adds and returns nothing if more must be done.
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

  /** Reads and locks the row of a task, with its snapshot only on request, because that may be large. */
  async #placed(tx: Sql, key: string, withSnapshot = false): Promise<PlacedRow | undefined> {
    const lock = raw(this.#database.kind === "postgres" ? "for update" : "");
    const [row] = await tx.all<PlacedRow>(sql`
      select seq, phase, state, time, scope_key, account_key, context_key, born, bytes, counted, webhooks, snapshot_seq
      ${raw(withSnapshot ? ", snapshot" : "")} from assay_tasks where key = ${key} ${lock}`);
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
    const place = status && { state: status.state, time: this.#timeOf(status) };
    const isCanceling = events.some(({ is }) => is === "cancel-requested");
    const isWorthKeeping = events.some(rests) || seq - row.snapshot_seq >= mostBehind;
    if (place) await this.#moments.advance(tx);
    const changes = [
      sql`seq = ${seq}, bytes = ${bytes}`,
      ...(isCanceling ? [sql`canceling = 1`] : []),
      ...(place ? [...this.#moved(place), sql`counted = ${bytes}`] : []),
      ...(isWorthKeeping ? [await this.#snapshot(tx, key, row, events)] : []),
    ];
    const steps = [sql`update assay_tasks set ${joined(changes, ", ")} where key = ${key}`];
    for (let at = 0; at < texts.length; at += rowsAtOnce)
      steps.push(eventRows(key, row.seq + at, texts.slice(at, at + rowsAtOnce)));
    if (place)
      steps.push(
        this.#left(key, row),
        this.#counted(key, row.scope_key, countChanges(row, place.state, bytes)),
        this.#options.callers.changed(row.account_key, key, {
          tasks: 0,
          open: isTerminal(place.state) ? -1 : 0,
          bytes: bytes - row.counted,
        }),
        ...this.#totals.moved(countedAs(key, row), row, place),
      );
    await tx.run(...steps);
    if (place) await this.#totals.tidy(tx, countedAs(key, row), row);
  }

  /** The columns of a task after a status change. */
  #moved({ state, time }: StatusPlace): Query[] {
    return [
      sql`state = ${state}, phase = ${phaseOf(state)}, time = ${time}, born = ${this.#moments.current}`,
      ...(isTerminal(state) ? [sql`ended_at = ${this.#options.now()}`] : []),
      // With the event, not after it: a client that answers at once must find the task free.
      ...(isResting(state) ? [sql`owner = null, lease_until = null`] : []),
    ];
  }

  /** Keeps the place that a task leaves, for earlier walks. */
  #left(key: string, row: PlacedRow): Query {
    return sql`insert into assay_left_places (scope_key, context_key, state, time, key, born, died, left_at)
      values (${row.scope_key}, ${row.context_key}, ${row.state}, ${row.time}, ${key}, ${row.born}, ${this.#moments.current}, ${this.#options.now()})`;
  }

  async #snapshot(tx: Sql, key: string, row: PlacedRow, events: readonly TaskEvent[]): Promise<Query> {
    const { seq, snapshot_seq } = row;
    const snapshot = row.snapshot ?? (await this.#placed(tx, key, true))!.snapshot!;
    const [task] = await tasksIn(tx, [{ key, seq, snapshot, snapshot_seq }]);
    for (const event of events) applyEvent(task!, event);
    return sql`snapshot = ${JSON.stringify(task)}, snapshot_seq = ${seq + events.length}`;
  }

  async #remove(tx: Sql, key: string): Promise<void> {
    const row = await this.#placed(tx, key);
    if (!row) return;
    await tx.run(
      sql`delete from assay_tasks where key = ${key}`,
      sql`delete from assay_events where key = ${key}`,
      sql`delete from assay_webhooks where key = ${key}`,
      this.#counted(key, row.scope_key, [[row.state, -1, -row.counted]]),
      this.#options.callers.changed(row.account_key, key, {
        tasks: -1,
        open: row.phase === endedPhase ? 0 : -1,
        bytes: -row.counted,
      }),
      ...this.#totals.moved(countedAs(key, row), row, undefined),
    );
    await this.#totals.tidy(tx, countedAs(key, row), row);
  }

  /** Adds to the counts of these states, always in the same order to avoid deadlocks. */
  #counted(key: string, scopeKey: string, changes: readonly CountChange[]): Query {
    const slot = slotOf(this.#database.kind, key);
    const rows = changes
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([state, tasks, bytes]) => sql`(${scopeKey}, ${state}, ${slot}, ${tasks}, ${bytes})`);
    return sql`insert into assay_counts (scope_key, state, slot, tasks, bytes) values ${joined(rows, ", ")}
      on conflict (scope_key, state, slot) do update
      set tasks = assay_counts.tasks + excluded.tasks, bytes = assay_counts.bytes + excluded.bytes`;
  }

  /** Statuses of the engine always have a time; one without is as new as its arrival. */
  #timeOf({ timestamp }: Task["status"]): number {
    return timestamp === undefined ? this.#options.now() : Date.parse(timestamp);
  }
}

/** Recognizes the error of PostgreSQL for a key that is taken. */
const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === "23505";

const countedAs = (key: string, { scope_key, context_key }: PlacedRow): Counted => ({
  key,
  scopeKey: scope_key,
  contextKey: context_key,
});

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

/** Returns true if the task rests with this event: it has ended, or waits for its client. */
export const rests = (event: TaskEvent): boolean => event.is === "status" && isResting(event.status.state);

/** Returns true for events that may be large. */
const grows = (event: TaskEvent): boolean => event.is === "artifact" || event.is === "message";
