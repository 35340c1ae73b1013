import { type DatabaseKind, type Query, type Sql, sql } from "@assay/storage";

/**
 * Moments in the order of commits: a walk shows the tasks where they stood when it began, whatever was committed since.
 * PostgreSQL tells by its own snapshots which transaction came before which; SQLite has one writer, which counts.
 */
export interface Moments {
  /** A transaction that moves tasks begins. */
  advance(tx: Sql): Promise<void>;
  /** the moment of the transaction that is under way, as tables keep it */
  readonly current: Query;
  /** what a walk remembers of the moment at which it began */
  readonly mark: Query;
  /** whether what happened at the moment in this column had happened at the mark */
  happened(column: Query, mark: string): Query;
}

export const momentsOf = (kind: DatabaseKind): Moments => (kind === "postgres" ? bySnapshot : byCount);

const bySnapshot: Moments = {
  async advance() {},
  current: sql`pg_current_xact_id()::text::bigint`,
  mark: sql`pg_current_snapshot()::text`,
  happened: (column, mark) => sql`pg_visible_in_snapshot(${column}::text::xid8, ${mark}::text::pg_snapshot)`,
};

const byCount: Moments = {
  advance: (tx) => tx.run(sql`update assay_moment set version = version + 1`),
  current: sql`(select version from assay_moment)`,
  mark: sql`(select cast(version as text) from assay_moment)`,
  happened: (column, mark) => sql`${column} <= ${Number(mark)}`,
};
