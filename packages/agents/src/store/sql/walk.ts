import type { Task } from "@assay/protocol";
import { type Database, type Query, raw, sql } from "@assay/storage";
import { CursorExpired, type TaskFilter, type TaskPage } from "../store.ts";
import { type Conditions, conditionsOf } from "./conditions.ts";
import { type Moments, momentsOf } from "./moments.ts";
import { type SnapshotRow, tasksIn } from "./snapshots.ts";
import { totalOf } from "./totals.ts";

/** Maximum time of a walk from its first page to its last. */
export const walkMs = 3_600_000;

/** The position of a walk: its start, the last place shown, and the number of matching tasks. */
interface WalkPlace {
  readonly mark: string;
  readonly began: number;
  readonly time: number;
  readonly key: string;
  readonly total: number;
}

interface PageRow extends SnapshotRow {
  readonly place: number;
  readonly mark?: string;
}

const taskColumns = sql`t.key, t.seq, t.snapshot, t.snapshot_seq`;

/** Lists tasks by newest status. A walk shows every task once, even if tasks move meanwhile. */
export class Walks {
  readonly #database: Database;
  readonly #moments: Moments;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#moments = momentsOf(database.kind);
    this.#now = now;
  }

  async page(scope: string, filter: TaskFilter, size: number, cursor?: string): Promise<TaskPage> {
    const conditions = conditionsOf(scope, filter);
    const place = cursor === undefined ? undefined : readCursor(cursor);
    if (place && place.began + walkMs < this.#now()) throw new CursorExpired("the first page was shown too long ago");
    const rows = await this.#database.all<PageRow>(
      place ? this.#nextPage(conditions, filter, place, size) : this.#firstPage(conditions, size),
    );
    const total = place?.total ?? (await this.#total(scope, filter));
    const shown = rows.slice(0, size);
    const last = shown.at(-1);
    const tasks = await tasksIn(this.#database, shown);
    // A task that moved since the walk began keeps its old place; within the page the newest comes
    // first.
    const page = { tasks: tasks.sort(byStatusTime), total };
    if (rows.length <= size || !last) return page;
    const mark = place?.mark ?? last.mark!;
    const began = place?.began ?? this.#now();
    return { ...page, cursor: writeCursor({ mark, began, time: last.place, key: last.key, total }) };
  }

  async #total(scope: string, filter: TaskFilter): Promise<number> {
    const [row] = await this.#database.all<{ total: number }>(totalOf(this.#database.kind, scope, filter));
    return row!.total;
  }

  #firstPage(conditions: Conditions, size: number): Query {
    return sql`
      select ${taskColumns}, t.time as place, ${this.#moments.mark} as mark
      from assay_tasks t where ${conditions.on("t")}
      order by t.time desc, t.key desc limit ${size + 1}`;
  }

  #nextPage(conditions: Conditions, { state }: TaskFilter, { mark, time, key }: WalkPlace, size: number): Query {
    const { happened } = this.#moments;
    const stillIn = state === undefined ? raw("") : sql`and now.state = ${state}`;
    return sql`
      select ${taskColumns}, p.place from (
        select * from (
          select t.key, t.time as place from assay_tasks t
          where ${conditions.on("t")} and (t.time, t.key) < (${time}, ${key}) and ${happened(raw("t.born"), mark)}
          order by t.time desc, t.key desc limit ${size + 1}
        ) as standing
        union all
        select * from (
          select l.key, l.time as place from assay_left_places l join assay_tasks now on now.key = l.key ${stillIn}
          where ${conditions.on("l")} and (l.time, l.key) < (${time}, ${key})
            and ${happened(raw("l.born"), mark)} and not ${happened(raw("l.died"), mark)}
          order by l.time desc, l.key desc limit ${size + 1}
        ) as moved
      ) p join assay_tasks t on t.key = p.key
      order by p.place desc, p.key desc limit ${size + 1}`;
  }
}

const byStatusTime = (a: Task, b: Task): number => {
  const [timeA, timeB] = [a.status.timestamp ?? "", b.status.timestamp ?? ""];
  return timeA < timeB ? 1 : timeA > timeB ? -1 : 0;
};

const writeCursor = ({ mark, began, time, key, total }: WalkPlace): string =>
  JSON.stringify([mark, began, time, key, total]);

function readCursor(cursor: string): WalkPlace {
  const [mark, began, time, key, total] = JSON.parse(cursor) as [string, number, number, string, number];
  return { mark, began, time, key, total };
}
