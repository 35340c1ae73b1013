import { type Database, type Migration, migrate, openDatabase, type Query, raw, sql } from "@assay/storage";
import { nextStep } from "./host-plan.ts";
import type { HostLimits, HostTurn, Politeness } from "./politeness.ts";

interface SharedOptions {
  /** what time it is; that of the server where there is one, so that the clocks of workers need not agree */
  readonly now?: () => number;
}

/** A place that was given and not come for, for so long, is given up. */
const keptMs = 10 * 60_000;
const serverClock = raw("(extract(epoch from clock_timestamp()) * 1000)::bigint");

/** Politeness of all workers that share a history store, by its address. */
export async function openPoliteness(
  address: string,
  limits: HostLimits,
  options: SharedOptions = {},
): Promise<Politeness> {
  const database = await openDatabase(address);
  try {
    await migrate(database, "politeness", politenessMigrations);
    return new SharedPoliteness(database, limits, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

class SharedPoliteness implements Politeness {
  readonly #database: Database;
  readonly #limits: HostLimits;
  readonly #clock: () => Query;

  constructor(database: Database, limits: HostLimits, { now }: SharedOptions) {
    this.#database = database;
    this.#limits = limits;
    const own = now ?? Date.now;
    this.#clock = () => (database.kind === "postgres" && !now ? serverClock : sql`cast(${own()} as bigint)`);
  }

  turn(host: string, job: string, lease: number): Promise<HostTurn> {
    return this.#database.transaction(async (tx) => {
      // The row of the host is locked from here on: its jobs are looked at one after the other.
      const [state] = await tx.all<{ now: number; next_at: number }>(
        sql`insert into assay_hosts (host, next_at) values (${host}, 0)
            on conflict (host) do update set host = excluded.host
            returning next_at, ${this.#clock()} as now`,
      );
      const { now, next_at: nextAt } = state!;
      await tx.run(
        sql`delete from assay_host_turns where host = ${host} and (until < ${now} or (until is null and place < ${now - keptMs}))`,
      );
      const turns = await tx.all<{ job: string; place: number; until: number | null }>(
        sql`select job, place, until from assay_host_turns where host = ${host} and (until is not null or job = ${job})`,
      );
      const mine = turns.find((turn) => turn.job === job);
      const active = turns.filter((turn) => turn.until !== null && turn.job !== job).length;
      const place = mine && { place: mine.place };
      const step = nextStep({ now, nextAt, active, ...place }, this.#limits);
      const begins = step.is === "begin";
      const [at, until] = begins ? [mine?.place ?? now, now + lease] : [Math.ceil(step.until), null];
      await tx.run(
        sql`insert into assay_host_turns (host, job, place, until) values (${host}, ${job}, ${at}, ${until})
            on conflict (host, job) do update set place = excluded.place, until = excluded.until`,
        sql`update assay_hosts set next_at = ${Math.ceil(step.nextAt)} where host = ${host}`,
      );
      return begins ? { leave: () => this.#leave(host, job) } : { after: Math.max(1, Math.ceil(step.until - now)) };
    });
  }

  async #leave(host: string, job: string): Promise<void> {
    await this.#database.run(sql`delete from assay_host_turns where host = ${host} and job = ${job}`);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Hosts with the plan of each, and the jobs that have a place in it (`until` is null) or are under way (until then, at most). */
const politenessMigrations: readonly Migration[] = [
  {
    version: 1,
    name: "hosts, and turns at them",
    statements: () => [
      sql`create table assay_hosts (host text primary key, next_at bigint not null)`,
      sql`create table assay_host_turns (
        host text not null, job text not null, place bigint not null, until bigint, primary key (host, job)
      )`,
    ],
  },
];
