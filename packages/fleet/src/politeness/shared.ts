import { type Database, type Migration, migrate, openDatabase, type Query, raw, sql } from "@assay/storage";
import { nextStep } from "./host-plan.ts";
import type { HostLimits, HostTurn, Politeness } from "./politeness.ts";

interface SharedOptions {
  /** the current time (default: the database server's clock if it has one, so that workers' clocks may differ) */
  readonly now?: () => number;
}

/** Milliseconds after which an unused place is free again. */
const keptMs = 10 * 60_000;
const serverClock = raw("(extract(epoch from clock_timestamp()) * 1000)::bigint");

/** Opens the politeness that all workers with the same history store share. */
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
      // This statement locks the host's row, so its jobs take turns.
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

/** The hosts with their plans, and the jobs at each: waiting (`until` is null), or running until then at most. */
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
