import { type DatabaseKind, type Migration, raw, sql } from "@assay/storage";

/**
 * The tables of a task store. `assay_events` is the truth. A row of `assay_tasks` has the searchable members
 * (state, status time, context, worker) and a snapshot, which lags behind the events while a task is working.
 * Client-chosen names (scopes, ids, contexts) are indexed as digests, so that they may be of any length and
 * hold any character.
 */
export const taskMigrations: readonly Migration[] = [
  {
    version: 1,
    name: "tasks, their events, their places in lists, their webhooks",
    statements: (kind) => [
      sql`create table assay_tasks (
        key ${text(kind)} primary key, scope_key ${text(kind)} not null, context_key ${text(kind)}, name text not null,
        seq bigint not null, phase bigint not null, state ${text(kind)} not null, time bigint not null, born bigint not null,
        ended_at bigint, worker ${text(kind)}, owner text, lease_until bigint, canceling bigint not null default 0,
        webhooks bigint not null default 0, bytes bigint not null, counted bigint not null, snapshot text not null, snapshot_seq bigint not null
      )`,
      sql`create index assay_tasks_by_time on assay_tasks (scope_key, time, key)`,
      sql`create index assay_tasks_by_state on assay_tasks (scope_key, state, time, key)`,
      sql`create index assay_tasks_by_context on assay_tasks (scope_key, context_key, time, key)`,
      sql`create index assay_tasks_by_worker on assay_tasks (worker) where phase < 2`,
      sql`create index assay_tasks_open on assay_tasks (time) where phase < 2`,
      sql`create index assay_tasks_ended on assay_tasks (ended_at) where phase = 2`,
      sql`create table assay_events (
        key ${text(kind)} not null, seq bigint not null, event text not null, primary key (key, seq)
      )${withoutRowid(kind)}`,
      // Earlier places of moved tasks, for walks that began before.
      sql`create table assay_left_places (
        scope_key ${text(kind)} not null, context_key ${text(kind)}, state ${text(kind)} not null, time bigint not null,
        key ${text(kind)} not null, born bigint not null, died bigint not null, left_at bigint not null
      )`,
      sql`create index assay_left_places_by_time on assay_left_places (scope_key, time, key)`,
      sql`create index assay_left_places_by_state on assay_left_places (scope_key, state, time, key)`,
      sql`create index assay_left_places_by_context on assay_left_places (scope_key, context_key, time, key)`,
      sql`create index assay_left_places_by_age on assay_left_places (left_at)`,
      // Number and size of tasks, so that a list need not count them; in several slots, so that
      // writers do not queue for one row.
      sql`create table assay_counts (
        scope_key ${text(kind)} not null, state ${text(kind)} not null, slot bigint not null, tasks bigint not null,
        bytes bigint not null,
        primary key (scope_key, state, slot)
      )${withoutRowid(kind)}`,
      sql`create table assay_webhooks (
        key ${text(kind)} not null, config_key ${text(kind)} not null, place bigint not null, config text not null, version text,
        primary key (key, config_key)
      )${withoutRowid(kind)}`,
      sql`create table assay_workers (id ${text(kind)} primary key, lease_until bigint not null)`,
      sql`create table assay_secrets (name text primary key, value text not null)`,
      sql`create table assay_moment (version bigint not null)`,
      sql`insert into assay_moment (version) values (0)`,
    ],
  },
  {
    version: 2,
    name: "notifications that could not be delivered",
    statements: (kind) => [
      sql`create table assay_dead_letters (
        id ${text(kind)} primary key, scope_key ${text(kind)} not null, account_key ${text(kind)} not null,
        task_key ${text(kind)} not null, at bigint not null, letter text not null
      )`,
      sql`create index assay_dead_letters_by_scope on assay_dead_letters (scope_key, at, id)`,
      sql`create index assay_dead_letters_by_account on assay_dead_letters (account_key, at, id)`,
      sql`create index assay_dead_letters_by_age on assay_dead_letters (at, id)`,
    ],
  },
  {
    version: 3,
    name: "whose tasks they are, and how many each caller has",
    statements: (kind) => [
      // The owner of existing tasks is unknown: they belong to one caller without a name.
      sql`alter table assay_tasks add column account_key ${text(kind)} not null default ''`,
      sql`create index assay_tasks_ended_by_caller on assay_tasks (account_key, ended_at) where phase = 2`,
      sql`create table assay_callers (
        account_key ${text(kind)} not null, slot bigint not null, tasks bigint not null, open bigint not null,
        bytes bigint not null,
        primary key (account_key, slot)
      )${withoutRowid(kind)}`,
      sql`insert into assay_callers (account_key, slot, tasks, open, bytes)
        select '', 0, count(*), coalesce(sum(case when phase < 2 then 1 else 0 end), 0), coalesce(sum(counted), 0)
        from assay_tasks`,
    ],
  },
  {
    version: 4,
    name: "notifications that a server has still to deliver",
    statements: (kind) => [
      sql`create table assay_outbox (
        id ${text(kind)} primary key, worker ${text(kind)} not null, scope_key ${text(kind)} not null,
        account_key ${text(kind)} not null, task_key ${text(kind)} not null, at bigint not null, letter text not null
      )`,
      sql`create index assay_outbox_by_worker on assay_outbox (worker)`,
    ],
  },
  {
    version: 5,
    name: "logins: sessions, codes and grants of the OAuth server",
    statements: (kind) => [
      sql`create table assay_logins (
        key ${text(kind)} primary key, uid_key ${text(kind)}, grant_key ${text(kind)}, at bigint not null, until bigint not null,
        consumed bigint, payload text not null
      )`,
      sql`create index assay_logins_by_uid on assay_logins (uid_key)`,
      sql`create index assay_logins_by_grant on assay_logins (grant_key)`,
      sql`create index assay_logins_by_age on assay_logins (at)`,
      sql`create index assay_logins_by_end on assay_logins (until)`,
    ],
  },
  {
    version: 6,
    name: "how many tasks rest, by context and by time",
    statements: (kind) => [
      sql`create index assay_tasks_running on assay_tasks (scope_key, context_key, time) where phase = 0`,
      // Rows of a context have the span 0; rows of a time span have the context ''.
      sql`create table assay_totals (
        scope_key ${text(kind)} not null, context_key ${text(kind)} not null, span bigint not null, start bigint not null,
        state ${text(kind)} not null, slot bigint not null, tasks bigint not null,
        primary key (scope_key, context_key, span, start, state, slot)
      )${withoutRowid(kind)}`,
      ...[0, 2 ** 13, 2 ** 19, 2 ** 25].map(
        (span) => sql`insert into assay_totals (scope_key, context_key, span, start, state, slot, tasks)
          select scope_key, ${raw(span === 0 ? "context_key" : "''")}, ${raw(`${span}`)}, ${startOf(span)}, state, ${slotOf(kind)}, count(*)
          from assay_tasks where phase > 0 ${raw(span === 0 ? "and context_key is not null" : "")}
          group by 1, 2, 4, 5, 6`,
      ),
    ],
  },
];

/** Digests and state names are compared as bytes. */
const text = (kind: DatabaseKind) => raw(kind === "postgres" ? 'text collate "C"' : "text");

/** Rows found by their whole key are stored in the key's own tree. */
const withoutRowid = (kind: DatabaseKind) => raw(kind === "sqlite" ? " without rowid" : "");

/** The start of the time span that holds a status time. */
const startOf = (span: number) => raw(span === 0 ? "0" : `time - (time % ${span} + ${span}) % ${span}`);

/** The slot of a task in counts, as `keys.ts` computes it. */
const slotOf = (kind: DatabaseKind) => raw(kind === "sqlite" ? "0" : "ascii(key) % 16");
