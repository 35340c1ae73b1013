import { createHash } from "node:crypto";
import { addRun, forgetReports, History, historyMigrations } from "@assay/history";
import { AssayError } from "@assay/protocol/assay-error";
import { type Database, joined, type Migration, migrate, openDatabase, type Query, sql } from "@assay/storage";
import type { ConformanceReport } from "@assay/suite/report";
import type { FleetJob } from "../examining/examination.ts";
import type { FleetLedger, FleetVerdict, Sweep } from "./verdict.ts";

/**
 * The tables of a ledger. The key of the second table makes verdicts unique; the third contains the workers' jobs. An
 * agent's name may be too long for an index, so a digest identifies it. Data that may be deleted later has its own columns.
 */
const fleetMigrations: readonly Migration[] = [
  {
    version: 1,
    name: "sweeps, and the verdicts in each",
    statements: () => [
      sql`create table assay_sweeps (
        sweep text primary key, fleet text not null, started_at bigint not null, ended_at bigint, agents bigint not null
      )`,
      sql`create index assay_sweeps_by_fleet on assay_sweeps (fleet, started_at)`,
      sql`create table assay_fleet_verdicts (
        sweep text not null, agent_key text not null, fleet text not null, at bigint not null, line text not null,
        evidence text, run text, primary key (sweep, agent_key)
      )`,
      sql`create index assay_fleet_verdicts_by_agent on assay_fleet_verdicts (agent_key, at)`,
      sql`create index assay_fleet_verdicts_by_run on assay_fleet_verdicts (run)`,
      sql`create index assay_fleet_verdicts_by_time on assay_fleet_verdicts (at)`,
    ],
  },
  {
    version: 2,
    name: "the jobs of sweeps that are under way",
    statements: () => [
      sql`create table assay_fleet_jobs (
        sweep text not null, agent_key text not null, job text not null, primary key (sweep, agent_key)
      )`,
    ],
  },
];

/** Opens the ledger in a history store, by its address: `sqlite:<file>` or `postgres://…`. */
export async function openLedger(address: string): Promise<FleetLedger> {
  const database = await openDatabase(address);
  try {
    await migrate(database, "history", historyMigrations);
    await migrate(database, "fleet", fleetMigrations);
    return new SqlLedger(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface SweepRow {
  readonly sweep: string;
  readonly fleet: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly agents: number;
}

interface StoredVerdict {
  readonly line: string;
  readonly evidence: string | null;
  readonly run: string | null;
}

/** Maximum number of jobs per statement. */
const plannedAtOnce = 500;
/** Maximum number of runs to delete in one transaction. */
const forgottenAtOnce = 200;
const shownOfAgent = 100;

class SqlLedger implements FleetLedger {
  readonly #database: Database;
  readonly #history: History;

  constructor(database: Database) {
    this.#database = database;
    this.#history = new History(database);
  }

  async begin({ sweep, fleet, startedAt, agents }: Sweep): Promise<void> {
    await this.#database.run(
      sql`insert into assay_sweeps (sweep, fleet, started_at, agents)
          values (${sweep}, ${fleet}, ${Date.parse(startedAt)}, ${agents})
          on conflict (sweep) do update set agents = excluded.agents`,
    );
  }

  async end(sweep: string, at: string): Promise<void> {
    await this.#database.run(
      sql`update assay_sweeps set ended_at = ${Date.parse(at)} where sweep = ${sweep} and ended_at is null`,
      sql`delete from assay_fleet_jobs where sweep in (
            select old.sweep from assay_sweeps old, assay_sweeps this
            where this.sweep = ${sweep} and old.fleet = this.fleet and old.started_at <= this.started_at
          )`,
    );
  }

  async plan(sweep: string, jobs: readonly FleetJob[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.run(sql`delete from assay_fleet_jobs where sweep = ${sweep}`);
      for (let at = 0; at < jobs.length; at += plannedAtOnce) {
        const rows = jobs
          .slice(at, at + plannedAtOnce)
          .map(({ agent, before }) => sql`(${sweep}, ${keyOf(agent.name)}, ${JSON.stringify({ agent, before })})`);
        await tx.run(sql`insert into assay_fleet_jobs (sweep, agent_key, job) values ${joined(rows, ", ")}`);
      }
    });
  }

  async job(sweep: string, agent: string): Promise<FleetJob | undefined> {
    const [row] = await this.#database.all<{ job: string }>(
      sql`select job from assay_fleet_jobs where sweep = ${sweep} and agent_key = ${keyOf(agent)}`,
    );
    return row && { ...(JSON.parse(row.job) as Omit<FleetJob, "sweep">), sweep };
  }

  /** Saves verdict and report together, so that no verdict lacks its evidence. */
  settle(verdict: FleetVerdict, report?: ConformanceReport): Promise<boolean> {
    const { evidence, ...reason } = verdict.reason;
    const { run, ...line } = { ...verdict, reason };
    return this.#database.transaction(async (tx) => {
      const [kept] = await tx.all(
        sql`insert into assay_fleet_verdicts (sweep, agent_key, fleet, at, line, evidence, run)
            select sweep, ${keyOf(verdict.agent)}, fleet, ${Date.parse(verdict.at)}, ${JSON.stringify(line)},
              ${evidence ?? null}, ${run ?? null}
            from assay_sweeps where sweep = ${verdict.sweep}
            on conflict (sweep, agent_key) do nothing
            returning sweep`,
      );
      if (kept && report) await addRun(tx, report, { onlyExamined: true });
      if (kept) return true;
      const [begun] = await tx.all(sql`select sweep from assay_sweeps where sweep = ${verdict.sweep}`);
      if (!begun)
        throw new AssayError({
          code: "unknown-sweep",
          message: `The sweep ${verdict.sweep} is not in the ledger: it has to begin before it has verdicts`,
          exitCode: 3,
        });
      return false;
    });
  }

  async isSettled(sweep: string, agent: string): Promise<boolean> {
    const rows = await this.#database.all(
      sql`select 1 from assay_fleet_verdicts where sweep = ${sweep} and agent_key = ${keyOf(agent)}`,
    );
    return rows.length > 0;
  }

  async previous(sweep: string, agent: string): Promise<FleetVerdict | undefined> {
    const [newest] = await this.#verdicts(
      sql`where agent_key = ${keyOf(agent)} and sweep <> ${sweep}
          and fleet = (select fleet from assay_sweeps where sweep = ${sweep}) order by at desc, sweep desc limit 1`,
    );
    return newest;
  }

  async unsettled(sweep: string, agents: readonly string[]): Promise<string[]> {
    const rows = await this.#database.all<{ agent_key: string }>(
      sql`select agent_key from assay_fleet_verdicts where sweep = ${sweep}`,
    );
    const settled = new Set(rows.map((row) => row.agent_key));
    return agents.filter((agent) => !settled.has(keyOf(agent)));
  }

  async settled(sweep: string): Promise<number> {
    const [row] = await this.#database.all<{ agents: number }>(
      sql`select count(*) as agents from assay_fleet_verdicts where sweep = ${sweep}`,
    );
    return row!.agents;
  }

  async sweeps(fleet?: string): Promise<Sweep[]> {
    const rows = await this.#database.all<SweepRow>(
      fleet === undefined
        ? sql`select * from assay_sweeps order by started_at desc, sweep desc`
        : sql`select * from assay_sweeps where fleet = ${fleet} order by started_at desc, sweep desc`,
    );
    return rows.map(({ sweep, fleet: of, started_at, ended_at, agents }) => ({
      ...{ sweep, fleet: of, startedAt: new Date(started_at).toISOString(), agents },
      ...(ended_at === null ? {} : { endedAt: new Date(ended_at).toISOString() }),
    }));
  }

  verdicts(sweep: string): Promise<FleetVerdict[]> {
    return this.#verdicts(sql`where sweep = ${sweep} order by at, agent_key`);
  }

  async latest(fleet: string, before?: string): Promise<FleetVerdict[]> {
    const sweeps = await this.sweeps(fleet);
    const from = before === undefined ? 0 : sweeps.findIndex(({ sweep }) => sweep === before) + 1;
    const newest = new Map<string, FleetVerdict>();
    for (const { sweep, endedAt } of sweeps.slice(from)) {
      for (const verdict of await this.verdicts(sweep))
        if (!newest.has(verdict.agent)) newest.set(verdict.agent, verdict);
      if (endedAt !== undefined) break;
    }
    return [...newest.values()];
  }

  agent(fleet: string, agent: string, limit = shownOfAgent): Promise<FleetVerdict[]> {
    return this.#verdicts(
      sql`where agent_key = ${keyOf(agent)} and fleet = ${fleet} order by at desc, sweep desc limit ${limit}`,
    );
  }

  report(run: string): Promise<ConformanceReport | undefined> {
    return this.#history.reportNamed(run);
  }

  async forgetEvidence(before: string): Promise<number> {
    const until = Date.parse(before);
    await this.#database.run(
      sql`update assay_fleet_verdicts set evidence = null where at < ${until} and evidence is not null`,
    );
    for (let forgotten = 0; ; ) {
      const runs = await this.#database.transaction(async (tx) => {
        // A repeated verdict still refers to the report of its first run.
        const rows = await tx.all<{ run: string }>(
          sql`select distinct run from assay_fleet_verdicts old where at < ${until} and run is not null and not exists (
                select 1 from assay_fleet_verdicts later where later.run = old.run and later.at >= ${until}
              ) limit ${forgottenAtOnce}`,
        );
        if (rows.length === 0) return 0;
        const named = rows.map(({ run }) => run);
        await forgetReports(tx, named);
        const list = joined(
          named.map((run) => sql`${run}`),
          ", ",
        );
        await tx.run(sql`update assay_fleet_verdicts set run = null where run in (${list})`);
        return named.length;
      });
      forgotten += runs;
      if (runs === 0) return forgotten;
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #verdicts(which: Query): Promise<FleetVerdict[]> {
    const rows = await this.#database.all<StoredVerdict>(
      sql`select line, evidence, run from assay_fleet_verdicts ${which}`,
    );
    return rows.map(({ line, evidence, run }) => {
      const verdict = JSON.parse(line) as FleetVerdict;
      return {
        ...verdict,
        reason: { ...verdict.reason, ...(evidence === null ? {} : { evidence }) },
        ...(run === null ? {} : { run }),
      };
    });
  }
}

const keyOf = (agent: string): string => createHash("sha256").update(agent).digest("base64url").slice(0, 22);
