import { type Database, sql } from "@assay/storage";
import { CallerCounts, type CallerHeld } from "./callers.ts";
import { keyOf, readName } from "./keys.ts";
import { letterOutbox } from "./outbox.ts";
import { endedPhase, workingPhase } from "./phases.ts";
import { walkMs } from "./walk.ts";

export interface Held {
  readonly tasks: number;
  /** their size as JSON */
  readonly bytes: number;
}

/** Limits of stored tasks, open and ended; those that ended first are deleted first. */
export interface Retention extends Held {
  /** how long a task is kept after its end */
  readonly ms: number;
  /** the limit for one caller (default: that for all) */
  readonly caller?: Held;
}

/** Identifies a task. */
export interface TaskName {
  readonly scope: string;
  readonly id: string;
}

/** Maximum number of largest callers that make room before all others do. */
const mostHolders = 20;
/** Maximum number of rows read or deleted at once, so that other work gets a turn. */
const atOnce = 200;

/** Maintains the store: leases of servers, idle tasks, expired tasks. */
export class StoreUpkeep {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #forget: (name: TaskName) => Promise<void>;
  /** The id of this server among those that share the store. */
  readonly worker: string;
  readonly #leaseMs: number;
  readonly #callers: CallerCounts;

  constructor(
    database: Database,
    now: () => number,
    worker: { readonly id: string; readonly leaseMs: number },
    forget: (name: TaskName) => Promise<void>,
  ) {
    this.#database = database;
    this.#now = now;
    this.worker = worker.id;
    this.#leaseMs = worker.leaseMs;
    this.#forget = forget;
    this.#callers = new CallerCounts(database);
  }

  /** Renews the lease of this server and of its tasks. */
  async renew(): Promise<void> {
    await this.#database.run(
      sql`insert into assay_workers (id, lease_until) values (${this.worker}, ${this.#now() + this.#leaseMs})
          on conflict (id) do update set lease_until = excluded.lease_until`,
    );
  }

  /** Ends the lease of this server: others end its remaining tasks. */
  async retire(): Promise<void> {
    await this.#database.run(sql`update assay_workers set lease_until = 0 where id = ${this.worker}`);
  }

  /** Marks all other servers as stopped, because only this one has the store. */
  async outliveOthers(): Promise<void> {
    await this.#database.run(sql`update assay_workers set lease_until = 0 where id <> ${this.worker}`);
  }

  /** Returns the tasks whose server stopped while a skill worked on them. */
  async abandoned(): Promise<TaskName[]> {
    const gone = await this.#database.all<{ id: string }>(
      sql`select id from assay_workers where lease_until <= ${this.#now()} and id <> ${this.worker}`,
    );
    const abandoned: TaskName[] = [];
    for (const { id } of gone) {
      const tasks = await this.#named(
        sql`select name from assay_tasks where worker = ${id} and phase = ${workingPhase} limit ${atOnce}`,
      );
      abandoned.push(...tasks);
      if (tasks.length === 0) await this.#bury(id);
    }
    return abandoned;
  }

  /** Releases the tasks of a stopped server for their clients, and keeps its pending notifications. */
  async #bury(worker: string): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const buried = await tx.all(sql`delete from assay_workers where id = ${worker} returning id`);
      // Another server was first.
      if (buried.length === 0) return;
      await letterOutbox(tx, worker);
      await tx.run(
        sql`update assay_tasks set owner = null, lease_until = null where worker = ${worker} and phase < ${endedPhase}`,
      );
      await tx.run(sql`delete from assay_outbox where worker = ${worker}`);
    });
  }

  /** Returns true if another server works on the task now. */
  async isElsewhere(scope: string, id: string): Promise<boolean> {
    const rows = await this.#database.all(
      sql`select 1 from assay_tasks t join assay_workers w on w.id = t.worker
          where t.key = ${keyOf(scope, id)} and t.phase = ${workingPhase} and w.id <> ${this.worker}
            and w.lease_until > ${this.#now()}`,
    );
    return rows.length > 0;
  }

  /** Returns tasks of this server that another one asked to stop or has ended. */
  stopped(): Promise<TaskName[]> {
    return this.#named(
      sql`select name from assay_tasks where worker = ${this.worker} and phase < ${endedPhase} and canceling = 1 limit ${atOnce}`,
    );
  }

  /** Returns the open tasks without activity since this time. */
  idle(since: number): Promise<TaskName[]> {
    return this.#named(
      sql`select name from assay_tasks where phase < ${endedPhase} and time < ${since} order by time limit ${atOnce}`,
    );
  }

  /**
   * Deletes expired tasks and returns what is left. Beyond the limits, the callers with the most lose the
   * most.
   */
  async forgetOld({ tasks, bytes, ms, caller }: Retention): Promise<Held> {
    const now = this.#now();
    await this.#database.run(
      sql`delete from assay_left_places where left_at < ${now - 2 * walkMs}`,
      sql`delete from assay_dead_letters where at < ${now - ms}`,
    );
    if (caller) for (const { key } of await this.#callers.beyond(caller, atOnce)) await this.forgetOldOf(key, caller);
    await this.#callers.forgetGone();
    for (;;) {
      const held = await this.#held();
      const old = await this.#named(
        sql`select name from assay_tasks where phase = ${endedPhase} and ended_at < ${now - ms} order by ended_at limit ${atOnce}`,
      );
      const tooMany = Math.min(atOnce, Math.max(held.tasks - tasks, held.bytes > bytes ? 1 : 0));
      const going =
        tooMany > old.length ? await this.#firstEnded(tooMany, held.tasks > tasks ? "tasks" : "bytes") : old;
      if (going.length === 0) return held;
      for (const name of going) await this.#forget(name);
    }
  }

  async #held(): Promise<Held> {
    const [held] = await this.#database.all<{ tasks: number | null; bytes: number | null }>(
      sql`select cast(sum(tasks) as bigint) as tasks, cast(sum(bytes) as bigint) as bytes from assay_counts`,
    );
    return { tasks: held?.tasks ?? 0, bytes: held?.bytes ?? 0 };
  }

  /**
   * Deletes the tasks of one caller that ended first, until it is within its limits or has only open ones.
   */
  async forgetOldOf(account: string, { tasks, bytes }: Held): Promise<CallerHeld> {
    for (;;) {
      const held = await this.#callers.of(account);
      const tooMany = Math.max(held.tasks - tasks, held.bytes > bytes ? 1 : 0);
      const going = tooMany > 0 ? await this.#firstEndedOf(account, Math.min(atOnce, tooMany)) : [];
      if (going.length === 0) return held;
      for (const name of going) await this.#forget(name);
    }
  }

  /**
   * Selects tasks of the largest callers until they equal the second largest, so that small callers lose
   * nothing.
   */
  async #firstEnded(count: number, what: "tasks" | "bytes"): Promise<TaskName[]> {
    const holders = await this.#callers.most(what, mostHolders);
    for (const [index, { key, tasks }] of holders.entries()) {
      const lead = what === "tasks" ? tasks - (holders[index + 1]?.tasks ?? 0) : 1;
      const ended = await this.#firstEndedOf(key, Math.min(count, Math.max(lead, Math.ceil(count / mostHolders))));
      if (ended.length > 0) return ended;
    }
    return this.#named(sql`select name from assay_tasks where phase = ${endedPhase} order by ended_at limit ${count}`);
  }

  #firstEndedOf(account: string, count: number): Promise<TaskName[]> {
    return this.#named(
      sql`select name from assay_tasks where account_key = ${account} and phase = ${endedPhase}
          order by ended_at limit ${count}`,
    );
  }

  async #named(query: ReturnType<typeof sql>): Promise<TaskName[]> {
    return (await this.#database.all<{ name: string }>(query)).map(({ name }) => readName(name));
  }
}
