import { type Migration, sql } from "@assay/storage";

/**
 * The tables of a ledger. The key of the second table makes verdicts unique; the third contains the workers' jobs. An
 * agent's name may be too long for an index, so a digest identifies it. Data that may be deleted later has its own columns.
 */
export const fleetMigrations: readonly Migration[] = [
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
