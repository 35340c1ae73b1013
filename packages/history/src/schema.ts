import { type Migration, sql } from "@assay/storage";

/** The tables of a history. `id` distinguishes runs of several folders and machines, whose names may be equal. */
export const historyMigrations: readonly Migration[] = [
  {
    version: 1,
    name: "runs, their reports, their verdicts",
    statements: () => [
      sql`create table assay_runs (
        id text primary key, run text not null, agent_key text not null, at bigint not null, bytes bigint not null, line text not null
      )`,
      sql`create index assay_runs_by_time on assay_runs (at)`,
      sql`create index assay_runs_by_agent on assay_runs (agent_key, at)`,
      sql`create index assay_runs_by_name on assay_runs (run)`,
      sql`create table assay_reports (id text primary key, report text not null)`,
      sql`create table assay_verdicts (
        id text not null, place bigint not null, rule text not null, verdict text not null, warned bigint not null,
        dialect text not null, binding text, primary key (id, place)
      )`,
      sql`create index assay_verdicts_by_rule on assay_verdicts (rule, id)`,
    ],
  },
];
