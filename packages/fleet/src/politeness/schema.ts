import { type Migration, sql } from "@assay/storage";

/** Hosts with the plan of each, and the jobs that have a place in it (`until` is null) or are under way (until then, at most). */
export const politenessMigrations: readonly Migration[] = [
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
