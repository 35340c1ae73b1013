import { isResting, isTerminal, type Task, type TaskState } from "@assay/protocol/core";
import { Holding, Ledger, Queue, type Queued, type StopSignal } from "@assay/wire/server";
import { applyEvent, frozenCopy } from "./apply.ts";
import { Follower, MemoryLog, nothingToFollow } from "./log.ts";
import { Partition, type PlacedTask } from "./partition.ts";
import type { WalkPosition } from "./recency.ts";
import { sizeOf } from "./size.ts";
import {
  CallerFull,
  CursorExpired,
  SequenceConflict,
  StoreFull,
  type TaskEvent,
  type TaskFilter,
  type TaskLog,
  type TaskPage,
  type TaskStore,
} from "./store.ts";

interface Entry extends PlacedTask, Queued<Entry> {
  readonly partition: Partition<Entry>;
  readonly task: Task;
  readonly holding: Holding;
  seq: number;
  /** Released when the task ends; only followers that still read keep it alive. */
  log: MemoryLog | undefined;
  owner: { readonly id: string; until: number } | undefined;
}

/** The tasks of one account. */
interface AccountTasks {
  /** number of open tasks */
  open: number;
  /** ended tasks that are not being read, earliest first */
  readonly ended: Queue<Entry>;
}

export interface MemoryOptions {
  /** maximum number of tasks, open and ended */
  readonly tasks: number;
  /** maximum number of open tasks of one caller */
  readonly openTasks: number;
  /** charged for the memory of tasks; it decides the limit */
  readonly ledger: Ledger;
  /** Called when a task was deleted to make room, to delete the data that belongs to it. */
  readonly onForget: (scope: string, id: string) => void;
}

/** Stores tasks in memory, with a limit: a full store deletes the tasks that ended first. */
export class MemoryStore implements TaskStore {
  readonly #partitions = new Map<string, Partition<Entry>>();
  /** removed with the last task, because anybody can be an account */
  readonly #accounts = new Map<string, AccountTasks>();
  readonly #options: MemoryOptions;
  readonly #now: () => number;
  #size = 0;
  /** Many statuses share one time, so the last conversion is cached. */
  #lastTime = { text: "", ms: 0 };

  constructor(now: () => number, options: Partial<MemoryOptions> = {}) {
    this.#now = now;
    this.#options = {
      tasks: 200_000,
      openTasks: Number.POSITIVE_INFINITY,
      ledger: new Ledger(),
      onForget: () => {},
      ...options,
    };
    this.#options.ledger.reclaims((account) => this.#forgetOneOf(account));
  }

  get size(): number {
    return this.#size;
  }

  /** number of tasks in each state */
  byState(): ReadonlyMap<TaskState, number> {
    const all = new Map<TaskState, number>();
    for (const partition of this.#partitions.values())
      for (const [state, count] of partition.byState()) all.set(state, (all.get(state) ?? 0) + count);
    return all;
  }

  async create(scope: string, task: Task, account = ""): Promise<void> {
    const partition = this.#partitionOf(scope);
    if (partition.entries.has(task.id)) throw new SequenceConflict(`task ${task.id} already exists`);
    this.#checkOpen(account);
    this.#makeRoomForOne(account);
    const created: TaskEvent = { is: "created", task };
    const holding = new Holding(this.#options.ledger, account);
    holding.charge(sizeOf(created));
    // The log keeps the created task; the snapshot changes separately.
    const entry: Entry = {
      partition,
      task: frozenCopy(task),
      holding,
      seq: 1,
      log: new MemoryLog(created),
      owner: undefined,
      slot: undefined,
      ahead: undefined,
      behind: undefined,
    };
    partition.add(entry, this.#timeOf(task.status));
    this.#tasksOf(account).open++;
    this.#size++;
  }

  async replace(scope: string, task: Task, account = ""): Promise<void> {
    this.#checkOpen(account);
    await this.remove(scope, task.id);
    await this.create(scope, task, account);
  }

  async append(
    scope: string,
    id: string,
    expectedSeq: number,
    events: readonly TaskEvent[],
    account?: string,
  ): Promise<number> {
    const entry = this.#writable(scope, id, expectedSeq);
    const { log, holding } = entry;
    let bytes = 0;
    for (const event of events) bytes += sizeOf(event);
    if (events.some(grows)) holding.charge(bytes, account);
    else holding.add(bytes, account);
    for (const event of events) this.#write(entry, log, event);
    log.wake();
    return entry.seq;
  }

  appendNow(scope: string, id: string, expectedSeq: number, event: TaskEvent, account?: string): number {
    const entry = this.#writable(scope, id, expectedSeq);
    const { log, holding } = entry;
    if (grows(event)) holding.charge(sizeOf(event), account);
    else holding.add(sizeOf(event), account);
    this.#write(entry, log, event);
    log.wake();
    return entry.seq;
  }

  /** Returns an open task whose log ends at this position. */
  #writable(scope: string, id: string, expectedSeq: number): Entry & { log: MemoryLog } {
    const entry = this.#find(scope, id);
    if (entry && isOpen(entry) && entry.seq === expectedSeq) return entry;
    throw new SequenceConflict(`task ${id} is at ${entry?.log?.events.length ?? "its end"}, not at ${expectedSeq}`);
  }

  #write(entry: Entry, log: MemoryLog, event: TaskEvent): void {
    const before = entry.task.status.state;
    applyEvent(entry.task, event);
    log.events.push(event);
    entry.seq++;
    if (event.is !== "status") return;
    entry.partition.move(entry, before, this.#timeOf(event.status));
    if (isResting(event.status.state)) entry.owner = undefined;
    if (isTerminal(event.status.state)) this.#end(entry);
  }

  async snapshot(scope: string, id: string): Promise<{ task: Task; seq: number } | undefined> {
    return this.#find(scope, id);
  }

  follow(scope: string, id: string, seq: number, signal: StopSignal): TaskLog {
    const entry = this.#find(scope, id);
    const log = entry?.log;
    if (!log) return nothingToFollow;
    return new Follower(log, seq, signal, (change) => {
      log.readers += change;
      if (log.readers === 0) this.#offerIfUnread(entry, log);
      else this.#accounts.get(entry.holding.account)?.ended.delete(entry);
    });
  }

  async list(scope: string, filter: TaskFilter, size: number, cursor?: string): Promise<TaskPage> {
    const partition = this.#partitionOf(scope);
    const order = partition.orderFor(filter);
    const place = cursor === undefined ? undefined : readCursor(cursor);
    const version = place?.position.version ?? order.begin();
    if (!order.remembers(version)) throw new CursorExpired("too much has changed since the first page");
    const tasks: Task[] = [];
    let last: { id: string; time: number } | undefined;
    let more = false;
    for (const { task, slot } of partition.matching(filter, place?.position)) {
      if (tasks.length === size) {
        more = true;
        break;
      }
      tasks.push(task);
      last = slot;
    }
    // Counted once: a walk shows the tasks that existed when it began.
    const total = place?.total ?? partition.count(filter);
    return {
      // A task that moved since the walk began keeps its old place; within the page the newest
      // comes first.
      tasks: tasks.sort((a, b) => compare(b.status.timestamp, a.status.timestamp)),
      total,
      ...(more && last ? { cursor: JSON.stringify([version, last.time, last.id, total]) } : {}),
    };
  }

  async claim(scope: string, id: string, owner: string, until: number): Promise<boolean> {
    const entry = this.#find(scope, id);
    if (!entry || (entry.owner && entry.owner.until > this.#now())) return false;
    entry.owner = { id: owner, until };
    return true;
  }

  async renew(scope: string, id: string, owner: string, until: number): Promise<void> {
    const entry = this.#find(scope, id);
    if (entry?.owner?.id === owner) entry.owner.until = until;
  }

  async release(scope: string, id: string, owner: string): Promise<void> {
    const entry = this.#find(scope, id);
    if (entry?.owner?.id === owner) entry.owner = undefined;
  }

  async remove(scope: string, id: string): Promise<void> {
    const entry = this.#find(scope, id);
    if (!entry) return;
    if (entry.log) this.#end(entry);
    this.#drop(entry);
  }

  /** A memory store is not shared with other processes. */
  async isElsewhere(): Promise<boolean> {
    return false;
  }

  #find(scope: string, id: string): Entry | undefined {
    return this.#partitions.get(scope)?.entries.get(id);
  }

  #partitionOf(scope: string): Partition<Entry> {
    const known = this.#partitions.get(scope);
    if (known) return known;
    const partition = new Partition<Entry>(scope);
    this.#partitions.set(scope, partition);
    return partition;
  }

  /** Statuses of the engine always have a time; one without is as new as its arrival. */
  #timeOf({ timestamp }: Task["status"]): number {
    if (timestamp === undefined) return this.#now();
    if (timestamp !== this.#lastTime.text) this.#lastTime = { text: timestamp, ms: Date.parse(timestamp) };
    return this.#lastTime.ms;
  }

  #end(entry: Entry): void {
    const { log } = entry;
    entry.log = undefined;
    if (!log) return;
    this.#tasksOf(entry.holding.account).open--;
    log.end();
    this.#offerIfUnread(entry, log);
  }

  /** Allows an ended task to be deleted if no follower reads it. */
  #offerIfUnread(entry: Entry, log: MemoryLog): void {
    const { partition, task, holding } = entry;
    const isKept = partition.entries.get(task.id) === entry;
    if (!isKept || !log.ended || log.readers > 0) return;
    const { ended } = this.#tasksOf(holding.account);
    if (!ended.has(entry)) ended.add(entry);
  }

  #tasksOf(account: string): AccountTasks {
    const known = this.#accounts.get(account);
    if (known) return known;
    const tasks: AccountTasks = { open: 0, ended: new Queue() };
    this.#accounts.set(account, tasks);
    return tasks;
  }

  /** Throws if the caller may open no further task. */
  #checkOpen(account: string): void {
    const { openTasks } = this.#options;
    const open = this.#accounts.get(account)?.open ?? 0;
    if (open >= openTasks) throw new CallerFull(`${openTasks} tasks of this caller are open, which is the maximum`);
  }

  #makeRoomForOne(account: string): void {
    if (this.#size < this.#options.tasks) return;
    // The caller's own tasks are deleted first, then those of the caller with the most.
    if (this.#forgetOneOf(account)) return;
    const [most] = [...this.#accounts].sort(([, a], [, b]) => b.ended.size - a.ended.size);
    if (!most || !this.#forgetOneOf(most[0])) throw new StoreFull("open tasks use all the space");
  }

  #forgetOneOf(account: string): boolean {
    const oldest = this.#accounts.get(account)?.ended.first;
    if (oldest === undefined) return false;
    this.#drop(oldest);
    this.#options.onForget(oldest.partition.scope, oldest.task.id);
    return true;
  }

  #drop(entry: Entry): void {
    const { holding, partition } = entry;
    const { account } = holding;
    const tasks = this.#tasksOf(account);
    tasks.ended.delete(entry);
    if (tasks.open === 0 && tasks.ended.size === 0) this.#accounts.delete(account);
    partition.remove(entry);
    holding.release();
    this.#size--;
  }
}

const isOpen = (entry: Entry): entry is Entry & { log: MemoryLog } => entry.log !== undefined;

/** Returns true for events that may be large. */
const grows = (event: TaskEvent): boolean => event.is === "artifact" || event.is === "message";

const compare = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

function readCursor(cursor: string): { readonly position: WalkPosition; readonly total: number } {
  const [version, time, id, total] = JSON.parse(cursor) as [number, number, string, number];
  return { position: { version, time, id }, total };
}
