import type { Database, DatabaseKind } from "./database.ts";
import { DatabaseUnavailable } from "./database.ts";
import { type Query, sql } from "./query.ts";

/** One step of a schema. A released step never changes; a later step corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (kind: DatabaseKind) => readonly Query[];
}

/** The PostgreSQL advisory lock number: "assay" as bytes. */
const lockNumber = 0x6173736179;

/**
 * Brings a set of tables up to date. Missing steps run in order, in one transaction and under a lock, so only
 * one of several starting servers runs them. A database with a newer schema is left untouched.
 */
export async function migrate(database: Database, set: string, migrations: readonly Migration[]): Promise<void> {
  await database.transaction(async (tx) => {
    if (database.kind === "postgres") await tx.all(sql`select pg_advisory_xact_lock(${lockNumber})`);
    await tx.run(sql`
      create table if not exists assay_migrations (
        name text not null, version bigint not null, title text not null, applied_at bigint not null,
        primary key (name, version)
      )`);
    const [done] = await tx.all<{ version: number | null }>(
      sql`select max(version) as version from assay_migrations where name = ${set}`,
    );
    const reached = done?.version ?? 0;
    const latest = migrations.at(-1)?.version ?? 0;
    if (reached > latest) {
      throw new DatabaseUnavailable(
        `The tables "${set}" were created by a newer version of Assay (schema ${reached}, this version supports ${latest}). Use that version`,
      );
    }
    for (const { version, name, statements } of migrations.filter((each) => each.version > reached)) {
      for (const statement of statements(database.kind)) await tx.run(statement);
      await tx.run(
        sql`insert into assay_migrations (name, version, title, applied_at) values (${set}, ${version}, ${name}, ${Date.now()})`,
      );
    }
  });
}
