import { type Database, type Query, type Sql, sql } from "@assay/storage";
import { slotOf } from "./keys.ts";

/** The stored tasks of one caller. */
export interface CallerHeld {
  readonly tasks: number;
  /** the open ones among them */
  readonly open: number;
  /** their size as JSON */
  readonly bytes: number;
}

/** A caller with stored tasks. */
export interface Holder extends CallerHeld {
  readonly key: string;
}

interface CallerRow {
  readonly account_key: string;
  readonly tasks: number;
  readonly open: number;
  readonly bytes: number;
}

const sums = sql`cast(sum(tasks) as bigint) as tasks, cast(sum(open) as bigint) as open, cast(sum(bytes) as bigint) as bytes`;

/**
 * Counts each caller's tasks when they change, in several slots, so that writers do not queue for one row.
 */
export class CallerCounts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds to the count of a caller, in the slot of the task that changes it. */
  changed(key: string, task: string, { tasks, open, bytes }: CallerHeld): Query {
    const slot = slotOf(this.#database.kind, task);
    return sql`insert into assay_callers (account_key, slot, tasks, open, bytes)
      values (${key}, ${slot}, ${tasks}, ${open}, ${bytes})
      on conflict (account_key, slot) do update set tasks = assay_callers.tasks + excluded.tasks,
        open = assay_callers.open + excluded.open, bytes = assay_callers.bytes + excluded.bytes`;
  }

  async of(key: string): Promise<CallerHeld> {
    const [row] = await this.#database.all<{ [name in keyof CallerHeld]: number | null }>(
      sql`select ${sums} from assay_callers where account_key = ${key}`,
    );
    return { tasks: row?.tasks ?? 0, open: row?.open ?? 0, bytes: row?.bytes ?? 0 };
  }

  /** Returns the callers with the most, largest first. */
  most(what: "tasks" | "bytes", count: number): Promise<Holder[]> {
    const order = what === "tasks" ? sql`sum(tasks)` : sql`sum(bytes)`;
    return this.#holders(sql`having sum(tasks) > 0 order by ${order} desc, account_key limit ${count}`);
  }

  /** Returns the callers beyond the limit. */
  beyond({ tasks, bytes }: Pick<CallerHeld, "tasks" | "bytes">, count: number): Promise<Holder[]> {
    return this.#holders(
      sql`having sum(tasks) > ${tasks} or sum(bytes) > ${bytes} order by account_key limit ${count}`,
    );
  }

  async #holders(which: Query): Promise<Holder[]> {
    const rows = await this.#database.all<CallerRow>(
      sql`select account_key, ${sums} from assay_callers group by account_key ${which}`,
    );
    return rows.map(({ account_key: key, tasks, open, bytes }) => ({ key, tasks, open, bytes }));
  }

  /** Deletes the rows of callers without tasks. */
  async forgetGone(): Promise<void> {
    await this.#database.transaction(async (tx: Sql) => {
      // A count that changes between reading and deleting would be lost.
      if (this.#database.kind === "postgres") await tx.run(sql`lock table assay_callers in exclusive mode`);
      await tx.run(
        sql`delete from assay_callers where account_key in (
          select account_key from assay_callers group by account_key having sum(tasks) = 0)`,
      );
    });
  }
}
