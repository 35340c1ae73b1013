import { type Database, sql } from "@assay/storage";
import type { TaskEvent, TaskLog } from "../store.ts";
import { endedPhase } from "./phases.ts";

type Batch = IteratorResult<readonly TaskEvent[], void>;

const over: Batch = { done: true, value: undefined };

/** So many events are read at once. */
const mostAtOnce = 500;
/** A follower that reads slowly is handed so many events before it has to read the table again. */
const mostHanded = 1_000;

/** Those who follow tasks here, by the key of the task. */
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

  /** These events stand behind `seq`, and are on disk: who has read so far need not read the table. */
  hand(key: string, seq: number, events: readonly TaskEvent[]): void {
    for (const follower of this.#byKey.get(key) ?? []) follower.take(seq, events);
  }

  /** The table may hold more of this task. */
  wake(key: string): void {
    for (const follower of this.#byKey.get(key) ?? []) follower.wake();
  }

  wakeAll(): void {
    for (const followers of this.#byKey.values()) for (const follower of followers) follower.wake();
  }
}

/** Reads the log of a task from a place on: the table is the truth, being woken only says that it is worth a look. */
export class SqlFollower implements TaskLog {
  readonly #database: Database;
  readonly #followers: Followers;
  readonly #key: string;
  readonly #signal: AbortSignal;
  #read: number;
  #handed: TaskEvent[] = [];
  #is: "new" | "reading" | "over" = "new";
  #isWoken = false;
  #goOn: (() => void) | undefined;

  constructor(database: Database, followers: Followers, key: string, seq: number, signal: AbortSignal) {
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
    if (this.#signal.aborted || this.#is !== "reading") return this.#end();
    for (;;) {
      this.#isWoken = false;
      const events = this.#handed.length > 0 ? this.#takeHanded() : await this.#readTable();
      if (this.#hasLeft()) return this.#end();
      if (events === "ended") {
        if (this.#handed.length > 0) continue;
        return this.#end();
      }
      if (events.length > 0) return { done: false, value: events };
      if (this.#signal.aborted) return this.#end();
      if (!this.#isWoken) await new Promise<void>((resolve) => (this.#goOn = resolve));
    }
  }

  async return(): Promise<Batch> {
    return this.#end();
  }

  take(seq: number, events: readonly TaskEvent[]): void {
    const isNext = this.#read + this.#handed.length === seq;
    if (isNext && this.#handed.length < mostHanded) this.#handed.push(...events);
    this.wake();
  }

  readonly wake = (): void => {
    this.#isWoken = true;
    this.#goOn?.();
    this.#goOn = undefined;
  };

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
      // What was handed over meanwhile may be among it, or further behind.
      this.#handed = [];
      this.#read = from + rows.length;
      return rows.map(({ event }) => JSON.parse(event) as TaskEvent);
    }
    const [task] = await this.#database.all<{ seq: number; phase: number }>(
      sql`select seq, phase from assay_tasks where key = ${this.#key}`,
    );
    if (!task || (task.phase === endedPhase && task.seq <= from)) return "ended";
    if (task.seq > from) this.#isWoken = true;
    return [];
  }

  #begin(): void {
    this.#is = "reading";
    this.#followers.add(this.#key, this);
    this.#signal.addEventListener("abort", this.wake, { once: true });
  }

  #end(): Batch {
    if (this.#is === "reading") {
      this.#followers.delete(this.#key, this);
      this.#signal.removeEventListener("abort", this.wake);
    }
    this.#is = "over";
    this.#handed = [];
    this.wake();
    return over;
  }
}
