import { isTerminal } from "@assay/protocol/core";
import { type Database, sql } from "@assay/storage";
import type { StopSignal } from "@assay/wire/server";
import type { TaskEvent, TaskLog } from "../store.ts";
import { endedPhase } from "./phases.ts";

type Batch = IteratorResult<readonly TaskEvent[], void>;

const over: Batch = { done: true, value: undefined };

/** Maximum number of events per read. */
const mostAtOnce = 500;
/** Maximum number of events passed to a slow follower before it must read the table again. */
const mostHanded = 1_000;
/** Maximum number of tasks per query. */
const keysAtOnce = 1_000;

/** The local followers of tasks, by task key. */
export class Followers {
  readonly #byKey = new Map<string, Set<SqlFollower>>();

  add(key: string, follower: SqlFollower): void {
    const known = this.#byKey.get(key);
    if (known) known.add(follower);
    else this.#byKey.set(key, new Set([follower]));
  }

  delete(key: string, follower: SqlFollower): void {
    const known = this.#byKey.get(key);
    known?.delete(follower);
    if (known?.size === 0) this.#byKey.delete(key);
  }

  /** Passes on events after `seq` that are on disk: a follower at that position need not read the table. */
  hand(key: string, seq: number, events: readonly TaskEvent[]): void {
    for (const follower of this.#byKey.get(key) ?? []) follower.take(seq, events);
  }

  /** Tells followers that the table may hold more of this task. */
  wake(key: string): void {
    for (const follower of this.#byKey.get(key) ?? []) follower.wake();
  }

  /** Fails the followers of a task that cannot continue. */
  fail(key: string, error: Error): void {
    for (const follower of this.#byKey.get(key) ?? []) follower.fail(error);
  }

  /**
   * Wakes followers for whom the PostgreSQL table holds more, or nothing any more, with one query for all.
   */
  async look(database: Pick<Database, "all">): Promise<void> {
    const keys = [...this.#byKey.keys()];
    for (let at = 0; at < keys.length; at += keysAtOnce) {
      const some = keys.slice(at, at + keysAtOnce);
      // One parameter: statements with different numbers of parameters would each be planned and
      // kept.
      const rows = await database.all<{ key: string; seq: number; phase: number }>(
        sql`select key, seq, phase from assay_tasks where key = any(string_to_array(${some.join(" ")}, ' '))`,
      );
      const open = new Map(rows.filter(({ phase }) => phase !== endedPhase).map(({ key, seq }) => [key, seq]));
      for (const key of some) for (const follower of this.#byKey.get(key) ?? []) follower.compare(open.get(key));
    }
  }
}

/** Returns true for the last event of a task. */
const ends = (event: TaskEvent): boolean => event.is === "status" && isTerminal(event.status.state);

/**
 * Reads the log of a task from a position on. The table is the truth. It is read at the start, after a
 * notification, and when passed events leave a gap.
 */
export class SqlFollower implements TaskLog {
  readonly #database: Pick<Database, "all">;
  readonly #followers: Followers;
  readonly #key: string;
  readonly #signal: StopSignal;
  #read: number;
  #handed: TaskEvent[] = [];
  #is: "new" | "reading" | "over" = "new";
  /** the table may hold more */
  #looks = true;
  #goOn: (() => void) | undefined;
  /** why nothing more will come */
  #failure: Error | undefined;

  constructor(database: Pick<Database, "all">, followers: Followers, key: string, seq: number, signal: StopSignal) {
    this.#database = database;
    this.#followers = followers;
    this.#key = key;
    this.#read = seq;
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Batch> {
    if (this.#is === "new" && !this.#signal.aborted) this.#begin();
    while (this.#is === "reading" && !this.#signal.aborted) {
      if (this.#handed.length > 0) return { done: false, value: this.#takeHanded() };
      if (this.#failure) {
        this.#end();
        throw this.#failure;
      }
      if (this.#looks) {
        this.#looks = false;
        const events = await this.#readTable();
        if (this.#hasLeft()) break;
        if (events === "ended" && this.#handed.length === 0) break;
        if (events !== "ended" && events.length > 0) return { done: false, value: events };
      } else await new Promise<void>((resolve) => (this.#goOn = resolve));
    }
    return this.#end();
  }

  async return(): Promise<Batch> {
    return this.#end();
  }

  take(seq: number, events: readonly TaskEvent[]): void {
    const isNext = this.#read + this.#handed.length === seq && this.#handed.length < mostHanded;
    if (isNext) this.#handed.push(...events);
    // Events after the end are not passed on, so read the table then.
    if (!isNext || events.some(ends)) this.#looks = true;
    this.#resume();
  }

  readonly wake = (): void => {
    this.#looks = true;
    this.#resume();
  };

  fail(error: Error): void {
    this.#failure = error;
    this.#resume();
  }

  /** Compares with the current position of the open task's log. */
  compare(seq: number | undefined): void {
    if (seq === undefined || seq > this.#read + this.#handed.length) this.wake();
  }

  #resume(): void {
    this.#goOn?.();
    this.#goOn = undefined;
  }

  #hasLeft(): boolean {
    return this.#is === "over";
  }

  #takeHanded(): TaskEvent[] {
    const events = this.#handed;
    this.#handed = [];
    this.#read += events.length;
    return events;
  }

  async #readTable(): Promise<TaskEvent[] | "ended"> {
    const from = this.#read;
    const rows = await this.#database.all<{ event: string }>(
      sql`select event from assay_events where key = ${this.#key} and seq > ${from} order by seq limit ${mostAtOnce}`,
    );
    if (rows.length > 0) {
      // Events passed meanwhile may be among these rows or after them, so drop them. The next read finds later ones.
      this.#handed = [];
      this.#read = from + rows.length;
      this.#looks = true;
      return rows.map(({ event }) => JSON.parse(event) as TaskEvent);
    }
    const [task] = await this.#database.all<{ seq: number; phase: number }>(
      sql`select seq, phase from assay_tasks where key = ${this.#key}`,
    );
    if (!task || (task.phase === endedPhase && task.seq <= from)) return "ended";
    if (task.seq > from) this.#looks = true;
    return [];
  }

  #begin(): void {
    this.#is = "reading";
    this.#followers.add(this.#key, this);
    this.#signal.addEventListener("abort", this.wake);
  }

  #end(): Batch {
    if (this.#is === "reading") {
      this.#followers.delete(this.#key, this);
      this.#signal.removeEventListener("abort", this.wake);
    }
    this.#is = "over";
    this.#handed = [];
    this.#resume();
    return over;
  }
}
