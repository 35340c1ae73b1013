import { type DatabaseKind, type Query, type Sql, sql } from "@assay/storage";

/**
 * Moments in the order of commits: a walk shows tasks at their places when it began. PostgreSQL orders
 * transactions by its snapshots; SQLite has one writer, which counts.
 */
export interface Moments {
  /** Called when a transaction that moves tasks begins. */
  advance(tx: Sql): Promise<void>;
  /** the moment of the current transaction, as stored in tables */
  readonly current: Query;
  /** the moment at which a walk began, as the walk stores it */
  readonly mark: Query;
  /** a condition: the moment in this column was before the mark */
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
