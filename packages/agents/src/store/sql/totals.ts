import { isResting, type TaskState } from "@assay/protocol/core";
import { type DatabaseKind, joined, type Query, raw, type Sql, sql } from "@assay/storage";
import type { TaskFilter } from "../store.ts";
import { conditionsOf } from "./conditions.ts";
import { digestOf, slotOf } from "./keys.ts";

/**
 * Lengths of the time spans whose tasks are counted, in milliseconds: 8 s, 9 min, 9 h. Each is 64 of the one
 * before it. The migration counted existing tasks by them, so a change needs another migration.
 */
const spans: readonly number[] = [2 ** 13, 2 ** 19, 2 ** 25];
/** The span of the row that counts a whole context. */
const wholeContext = 0;

/** Members of a task by which it is counted, and which do not change. */
export interface Counted {
  readonly key: string;
  readonly scopeKey: string;
  readonly contextKey: string | null;
}

/** The state of a task and its status time. */
export interface StatusPlace {
  readonly state: TaskState;
  readonly time: number;
}

/** A row of `assay_totals` and the change of its number. */
interface Change {
  readonly contextKey: string;
  readonly span: number;
  readonly start: number;
  readonly state: TaskState;
  readonly by: number;
}

/**
 * Counts resting tasks by context and by time, so that no list has to count its matches. Running tasks are
 * few, and counted when a list asks: most tasks then change these counts once.
 */
export class Totals {
  readonly #kind: DatabaseKind;

  constructor(kind: DatabaseKind) {
    this.#kind = kind;
  }

  /** Moves a task from its old place to its new one. A new task has no old place, a removed task no new one. */
  moved({ key, scopeKey, contextKey }: Counted, from: StatusPlace | undefined, to: StatusPlace | undefined): Query[] {
    const slot = slotOf(this.#kind, key);
    const rows = changesOf(contextKey, from, to).map(
      ({ contextKey, span, start, state, by }) =>
        sql`(${scopeKey}, ${contextKey}, ${span}, ${start}, ${state}, ${slot}, ${by})`,
    );
    if (rows.length === 0) return [];
    return [
      sql`insert into assay_totals (scope_key, context_key, span, start, state, slot, tasks) values ${joined(rows, ", ")}
        on conflict (scope_key, context_key, span, start, state, slot) do update
        set tasks = assay_totals.tasks + excluded.tasks`,
    ];
  }

  /** Deletes counts that are zero since a task left its place. Runs after `moved`, in the same transaction. */
  async tidy(tx: Sql, { key, scopeKey, contextKey }: Counted, left: StatusPlace): Promise<void> {
    const deletions = changesOf(contextKey, left, undefined).map(
      ({ contextKey, span, start, state }) =>
        sql`delete from assay_totals where scope_key = ${scopeKey} and context_key = ${contextKey} and span = ${span}
          and start = ${start} and state = ${state} and slot = ${slotOf(this.#kind, key)} and tasks = 0`,
    );
    if (deletions.length > 0) await tx.run(...deletions);
  }
}

function changesOf(contextKey: string | null, from: StatusPlace | undefined, to: StatusPlace | undefined): Change[] {
  const changes = new Map<string, Change>();
  for (const [place, by] of [
    [from, -1],
    [to, 1],
  ] as const) {
    if (!place || !isResting(place.state)) continue;
    const { state, time } = place;
    const rows = [
      ...(contextKey === null ? [] : [{ contextKey, span: wholeContext, start: 0 }]),
      ...spans.map((span) => ({ contextKey: "", span, start: Math.floor(time / span) * span })),
    ];
    for (const row of rows) {
      const name = `${row.contextKey} ${row.span} ${row.start} ${state}`;
      changes.set(name, { ...row, state, by: (changes.get(name)?.by ?? 0) + by });
    }
  }
  // The same order in every transaction, so that none waits for one that waits for it.
  return [...changes]
    .filter(([, { by }]) => by !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}

/**
 * Selects the number of tasks that match a filter as `total`. It is one statement, so that all parts are of
 * the same moment. A context with a time is the exception: its matches are counted.
 */
export function totalOf(kind: DatabaseKind, scope: string, filter: TaskFilter): Query {
  const { contextId, state, since } = filter;
  const inScope = sql`scope_key = ${digestOf(scope)} ${state === undefined ? raw("") : sql`and state = ${state}`}`;
  const matches = conditionsOf(scope, filter).on("t");
  const tasks = sql`select count(*) as tasks from assay_tasks t where ${matches}`;
  // With statistics of a large table, SQLite would read all tasks of a context to find those that run.
  const byRunning = raw(kind === "sqlite" ? "indexed by assay_tasks_running" : "");
  const running = sql`select count(*) as tasks from assay_tasks t ${byRunning} where ${matches} and t.phase = 0`;
  const summed = (...parts: readonly Query[]): Query =>
    sql`select cast(coalesce(sum(tasks), 0) as bigint) as total from (${joined(parts, " union all ")}) as parts`;

  if (contextId !== undefined && since !== undefined) return summed(tasks);
  if (contextId !== undefined)
    return summed(
      running,
      sql`select tasks from assay_totals where ${inScope} and context_key = ${digestOf(contextId)} and span = ${wholeContext}`,
    );
  if (since === undefined) return summed(sql`select tasks from assay_counts where ${inScope}`);
  // Single tasks up to the first whole span, then short spans up to the first long one, and so on.
  const starts = spans.map((span) => Math.ceil(since / span) * span);
  const counts = spans.map((span, level) => {
    const end = starts[level + 1];
    const before = end === undefined ? raw("") : sql`and start < ${end}`;
    return sql`select tasks from assay_totals
      where ${inScope} and context_key = '' and span = ${span} and start >= ${starts[level]!} ${before}`;
  });
  return summed(running, sql`${tasks} and t.phase > 0 and t.time < ${starts[0]!}`, ...counts);
}
