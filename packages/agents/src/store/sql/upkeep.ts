import { type Database, sql } from "@assay/storage";
import { CallerCounts, type CallerHeld } from "./callers.ts";
import { keyOf, readName } from "./keys.ts";
import { letterOutbox } from "./outbox.ts";
import { endedPhase, workingPhase } from "./phases.ts";
import { walkMs } from "./walk.ts";

export interface Held {
  readonly tasks: number;
  /** what they say, as JSON */
  readonly bytes: number;
}

/** What is kept, open tasks and ended ones together; those that ended longest ago go first. */
export interface Retention extends Held {
  /** how long a task is kept after its end */
  readonly ms: number;
  /** what is kept for one caller; as much as for all unless given */
  readonly caller?: Held;
}

/** A task by its name. */
export interface TaskName {
  readonly scope: string;
  readonly id: string;
}

/** So many of those who have most are asked to make room, before it is taken from all. */
const mostHolders = 20;
/** So many rows are looked at or let go at once: others have their turn in between. */
const atOnce = 200;

/** Looks after what is kept: who works on what and is still there, what has waited too long, what may be forgotten. */
export class StoreUpkeep {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #forget: (name: TaskName) => Promise<void>;
  /** This server among those that share the store. */
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

  /** This server is there, and what it works on is in good hands; the lease of its tasks is its own. */
  async renew(): Promise<void> {
    await this.#database.run(
      sql`insert into assay_workers (id, lease_until) values (${this.worker}, ${this.#now() + this.#leaseMs})
          on conflict (id) do update set lease_until = excluded.lease_until`,
    );
  }

  /** This server leaves: what it did not end is for others to end. */
  async retire(): Promise<void> {
    await this.#database.run(sql`update assay_workers set lease_until = 0 where id = ${this.worker}`);
  }

  /** No server but this one has the store: whoever else is said to work is gone. */
  async outliveOthers(): Promise<void> {
    await this.#database.run(sql`update assay_workers set lease_until = 0 where id <> ${this.worker}`);
  }

  /** The tasks whose server is gone while a skill was at work on them. */
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

  /** Tasks of a server that is gone wait for their clients, and may go on elsewhere; what it had to deliver is not lost. */
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

  /** Whether another server works on the task now. */
  async isElsewhere(scope: string, id: string): Promise<boolean> {
    const rows = await this.#database.all(
      sql`select 1 from assay_tasks t join assay_workers w on w.id = t.worker
          where t.key = ${keyOf(scope, id)} and t.phase = ${workingPhase} and w.id <> ${this.worker}
            and w.lease_until > ${this.#now()}`,
    );
    return rows.length > 0;
  }

  /** The tasks this server works on that were asked to stop, or have been ended, by another. */
  stopped(): Promise<TaskName[]> {
    return this.#named(
      sql`select name from assay_tasks where worker = ${this.worker} and phase < ${endedPhase} and canceling = 1 limit ${atOnce}`,
    );
  }

  /** The open tasks to which nothing has happened since. */
  idle(since: number): Promise<TaskName[]> {
    return this.#named(
      sql`select name from assay_tasks where phase < ${endedPhase} and time < ${since} order by time limit ${atOnce}`,
    );
  }

  /** Forgets what is kept no longer; gives what is left. Where there is too much, those who have most give most. */
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

  /** Forgets the tasks of one caller that ended longest ago, until it has no more than it may have, or only open ones. */
  async forgetOldOf(account: string, { tasks, bytes }: Held): Promise<CallerHeld> {
    for (;;) {
      const held = await this.#callers.of(account);
      const tooMany = Math.max(held.tasks - tasks, held.bytes > bytes ? 1 : 0);
      const going = tooMany > 0 ? await this.#firstEndedOf(account, Math.min(atOnce, tooMany)) : [];
      if (going.length === 0) return held;
      for (const name of going) await this.#forget(name);
    }
  }

  /** Of those who have most, as many as bring the first down to the second: who has little loses nothing to who has much. */
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
