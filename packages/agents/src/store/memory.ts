import { isTerminal, type Task } from "@assay/protocol";
import { applyEvent, frozenCopy } from "./apply.ts";
import { RecencyOrder, type WalkPosition } from "./recency.ts";
import { sizeOf } from "./size.ts";
import {
  CursorExpired,
  SequenceConflict,
  StoreFull,
  type TaskEvent,
  type TaskFilter,
  type TaskPage,
  type TaskStore,
} from "./store.ts";

interface Log {
  readonly events: TaskEvent[];
  readonly waiting: Set<() => void>;
  ended: boolean;
}

interface Entry {
  readonly scope: string;
  readonly task: Task;
  seq: number;
  bytes: number;
  /** Let go when the task ends: followers that are still reading keep it alive, nothing else needs it. */
  log: Log | undefined;
  owner?: { id: string; until: number };
}

/** The tasks of one scope. Ids are unique within it: in 0.1 clients choose them. */
interface Partition {
  readonly entries: Map<string, Entry>;
  readonly order: RecencyOrder;
}

export interface MemoryLimits {
  readonly tasks: number;
  readonly bytes: number;
}

/** Tasks in memory, bounded: when it is full, the tasks that ended longest ago make room. */
export class MemoryStore implements TaskStore {
  readonly #partitions = new Map<string, Partition>();
  /** ended tasks, the earliest first (a Set keeps the order of insertion) */
  readonly #ended = new Set<Entry>();
  readonly #limits: MemoryLimits;
  readonly #now: () => number;
  #bytes = 0;
  #size = 0;

  constructor(now: () => number, limits: Partial<MemoryLimits> = {}) {
    this.#now = now;
    this.#limits = { tasks: 200_000, bytes: 512 * 1024 * 1024, ...limits };
  }

  get size(): number {
    return this.#size;
  }

  async create(scope: string, task: Task): Promise<void> {
    const { entries, order } = this.#partitionOf(scope);
    if (entries.has(task.id)) throw new SequenceConflict(`task ${task.id} is there already`);
    this.#evict(1);
    const bytes = sizeOf({ is: "created", task });
    const log: Log = { events: [{ is: "created", task }], waiting: new Set(), ended: false };
    // The log keeps the task as it was introduced; the snapshot goes its own way.
    entries.set(task.id, { scope, task: frozenCopy(task), seq: 1, bytes, log });
    this.#bytes += bytes;
    this.#size++;
    order.touch(task.id, this.#timeOf(task.status));
  }

  async append(scope: string, id: string, expectedSeq: number, events: readonly TaskEvent[]): Promise<number> {
    const entry = this.#find(scope, id);
    if (!entry?.log || entry.seq !== expectedSeq) {
      throw new SequenceConflict(`task ${id} is at ${entry?.log?.events.length ?? "its end"}, not at ${expectedSeq}`);
    }
    const { log } = entry;
    if (this.#bytes >= this.#limits.bytes && events.some(grows)) this.#evict(0);
    for (const event of events) {
      applyEvent(entry.task, event);
      log.events.push(event);
      const bytes = sizeOf(event);
      entry.bytes += bytes;
      this.#bytes += bytes;
      if (event.is !== "status") continue;
      this.#partitionOf(scope).order.touch(id, this.#timeOf(event.status));
      if (isTerminal(event.status.state)) this.#end(entry);
    }
    entry.seq += events.length;
    for (const wake of log.waiting) wake();
    log.waiting.clear();
    return entry.seq;
  }

  async snapshot(scope: string, id: string): Promise<{ task: Task; seq: number } | undefined> {
    return this.#find(scope, id);
  }

  follow(scope: string, id: string, seq: number, signal: AbortSignal): AsyncGenerator<readonly TaskEvent[], void> {
    return readLog(this.#find(scope, id)?.log, seq, signal);
  }

  async list(scope: string, filter: TaskFilter, size: number, cursor?: string): Promise<TaskPage> {
    const partition = this.#partitionOf(scope);
    const { entries, order } = partition;
    const position = cursor === undefined ? undefined : readCursor(cursor);
    const version = position?.version ?? order.begin();
    if (!order.remembers(version)) throw new CursorExpired("too much has changed since the first page");
    const tasks: Task[] = [];
    let last: { id: string; time: number } | undefined;
    let more = false;
    for (const slot of order.walk(position)) {
      const task = entries.get(slot.id)?.task;
      if (!task || !matches(task, filter)) continue;
      if (tasks.length === size) {
        more = true;
        break;
      }
      tasks.push(task);
      last = slot;
    }
    return {
      // A task that moved since the walk began stands where it stood; within the page the newest comes first.
      tasks: tasks.sort((a, b) => compare(b.status.timestamp, a.status.timestamp)),
      total: countIn(partition, filter),
      ...(more && last ? { cursor: JSON.stringify([version, last.time, last.id]) } : {}),
    };
  }

  async claim(scope: string, id: string, owner: string, until: number): Promise<boolean> {
    const entry = this.#find(scope, id);
    if (!entry || (entry.owner && entry.owner.id !== owner && entry.owner.until > this.#now())) return false;
    entry.owner = { id: owner, until };
    return true;
  }

  async release(scope: string, id: string, owner: string): Promise<void> {
    const entry = this.#find(scope, id);
    if (entry?.owner?.id === owner) delete entry.owner;
  }

  async remove(scope: string, id: string): Promise<void> {
    const entry = this.#find(scope, id);
    if (!entry) return;
    if (entry.log) this.#end(entry);
    this.#forget(entry);
  }

  #find(scope: string, id: string): Entry | undefined {
    return this.#partitions.get(scope)?.entries.get(id);
  }

  #partitionOf(scope: string): Partition {
    const known = this.#partitions.get(scope);
    if (known) return known;
    const partition = { entries: new Map<string, Entry>(), order: new RecencyOrder() };
    this.#partitions.set(scope, partition);
    return partition;
  }

  /** Statuses of the engine always say when; one that does not is as new as its arrival. */
  #timeOf({ timestamp }: Task["status"]): number {
    return timestamp === undefined ? this.#now() : Date.parse(timestamp);
  }

  #end(entry: Entry): void {
    if (entry.log) entry.log.ended = true;
    entry.log = undefined;
    this.#ended.add(entry);
  }

  #evict(added: 0 | 1): void {
    while (this.#size + added > this.#limits.tasks || this.#bytes >= this.#limits.bytes) {
      const [oldest] = this.#ended;
      if (oldest === undefined) throw new StoreFull("the tasks that are open take all there is");
      this.#forget(oldest);
    }
  }

  #forget(entry: Entry): void {
    const { entries, order } = this.#partitionOf(entry.scope);
    this.#ended.delete(entry);
    entries.delete(entry.task.id);
    order.remove(entry.task.id);
    this.#bytes -= entry.bytes;
    this.#size--;
  }
}

function countIn({ entries, order }: Partition, filter: TaskFilter): number {
  if (filter.contextId === undefined && filter.state === undefined && filter.since === undefined) return order.size;
  let count = 0;
  for (const { id } of order.walk()) if (matches(entries.get(id)!.task, filter)) count++;
  return count;
}

async function* readLog(
  log: Log | undefined,
  seq: number,
  signal: AbortSignal,
): AsyncGenerator<readonly TaskEvent[], void> {
  if (!log) return;
  let read = seq;
  while (!signal.aborted) {
    if (read < log.events.length) {
      const batch = log.events.slice(read);
      read += batch.length;
      yield batch;
    } else if (log.ended) return;
    else await grown(log, signal);
  }
}

function grown(log: Log, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      signal.removeEventListener("abort", wake);
      log.waiting.delete(wake);
      resolve();
    };
    log.waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}

/** What may take a lot of room. */
const grows = (event: TaskEvent): boolean => event.is === "artifact" || event.is === "message";

const compare = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

function matches(task: Task, { contextId, state, since }: TaskFilter): boolean {
  if (contextId !== undefined && task.contextId !== contextId) return false;
  if (state !== undefined && task.status.state !== state) return false;
  return since === undefined || Date.parse(task.status.timestamp ?? "") >= since;
}

function readCursor(cursor: string): WalkPosition {
  const [version, time, id] = JSON.parse(cursor) as [number, number, string];
  return { version, time, id };
}
