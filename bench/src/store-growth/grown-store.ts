import type { DatabaseKind } from "@assay/storage";

/** A store that is filled with copies of one ended task, and read without a network. */
export interface GrownStore {
  /** Adds copies until the store has this many. Half of them are in the context of the first task. */
  grow(size: number): Promise<void>;
  /** The measured queries; each runs many times. */
  readonly questions: Readonly<Record<string, () => Promise<unknown>>>;
  close(): Promise<void>;
}

export const names = {
  get: "GetTask",
  first: "ListTasks, first page of 50",
  next: "ListTasks, the next page",
  state: "ListTasks by state, all match",
  context: "ListTasks by context, half match",
  contextAndState: "ListTasks by context and state, half match",
  contextAndTime: "ListTasks by context and time, half match",
  time: "ListTasks by time, all match",
  lastMinute: "ListTasks by time, the last minute",
  send: "SendMessage, a new task",
} as const;

/** SQL for the numbers `n` of the copies, made by the database. */
export const numbers = (kind: DatabaseKind, from: number, to: number): string =>
  kind === "postgres"
    ? `(select generate_series(${from}, ${to}) as n) as copies`
    : `(with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as copies`;

/** SQL for the key of a copy. Copies with the same first character come in order, so that indexes grow at few places. */
export const keyOfCopy = (kind: DatabaseKind): string =>
  `substr('0123456789ABCDEF', n % 16 + 1, 1) || ${kind === "postgres" ? "lpad(n::text, 9, '0')" : "printf('%09d', n)"}`;

/** SQL for the context of a copy. */
export const contextOfCopy = (kind: DatabaseKind, first: string): string =>
  `case when n % 2 = 0 then ${first} else ${keyOfCopy(kind)} end`;

export const longAgo = "2020-01-01T00:00:00.000Z";
export const aMinuteAgo = (): string => new Date(Date.now() - 60_000).toISOString();
