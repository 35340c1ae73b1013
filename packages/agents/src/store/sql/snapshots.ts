import type { Task } from "@assay/protocol";
import { joined, type Sql, sql } from "@assay/storage";
import { applyEvent } from "../apply.ts";
import type { TaskEvent } from "../store.ts";

/** The columns of a task's row that make its snapshot. */
export interface SnapshotRow {
  readonly key: string;
  readonly seq: number;
  readonly snapshot: string;
  readonly snapshot_seq: number;
}

interface EventRow {
  readonly key: string;
  readonly event: string;
}

/** Returns the current tasks: the stored snapshots with the events after them. */
export async function tasksIn(source: Sql, rows: readonly SnapshotRow[]): Promise<Task[]> {
  const tasks = new Map(rows.map(({ key, snapshot }) => [key, JSON.parse(snapshot) as Task]));
  const lagging = rows.filter(({ seq, snapshot_seq }) => seq > snapshot_seq);
  if (lagging.length > 0) {
    const wanted = lagging.map(
      ({ key, seq, snapshot_seq }) => sql`(key = ${key} and seq > ${snapshot_seq} and seq <= ${seq})`,
    );
    const events = await source.all<EventRow>(
      sql`select key, event from assay_events where ${joined(wanted, " or ")} order by key, seq`,
    );
    for (const { key, event } of events) applyEvent(tasks.get(key)!, JSON.parse(event) as TaskEvent);
  }
  return rows.map(({ key }) => tasks.get(key)!);
}
