import { type Database, joined, type Query, raw, type Sql, sql } from "@assay/storage";
import type { DeadLetter, PushOutbox, Recipient } from "../dead-letter.ts";
import { digestOf } from "./keys.ts";

/** Notifications that are settled sooner than this are not written. */
const pauseMs = 20;
/** Maximum number of rows that one statement adds. */
const atOnce = 100;

/**
 * Stores a server's pending notifications in a database: if it crashes, they become dead letters. Only those
 * that wait longer than a moment are written, so most cost no disk access.
 */
export class StoredOutbox implements PushOutbox {
  readonly #database: Database;
  readonly #worker: string;
  readonly #onError: (error: unknown) => void;
  readonly #unwritten = new Map<string, Query>();
  readonly #settled = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, worker: string, onError: (error: unknown) => void) {
    this.#database = database;
    this.#worker = worker;
    this.#onError = onError;
  }

  add({ scope, account }: Recipient, letter: DeadLetter): void {
    const keys = [scope, account, letter.taskId].map(digestOf).map((key) => sql`${key}`);
    this.#unwritten.set(
      letter.id,
      sql`(${letter.id}, ${this.#worker}, ${joined(keys, ", ")}, ${Date.parse(letter.at)}, ${JSON.stringify(letter)})`,
    );
    this.#schedule();
  }

  remove(id: string): void {
    if (this.#unwritten.delete(id)) return;
    this.#settled.add(id);
    this.#schedule();
  }

  /** Settles when added and removed rows are on disk, or could not be written. */
  written(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write()).catch(this.#onError);
    return this.#writing;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.written(), pauseMs);
  }

  async #write(): Promise<void> {
    const rows = [...this.#unwritten.values()];
    const ids = [...this.#settled].map((id) => sql`${id}`);
    this.#unwritten.clear();
    this.#settled.clear();
    const statements = [
      ...inParts(rows).map(
        (part) => sql`insert into assay_outbox (id, worker, scope_key, account_key, task_key, at, letter)
          values ${joined(part, ", ")}`,
      ),
      ...inParts(ids).map((part) => sql`delete from assay_outbox where id in (${joined(part, ", ")})`),
    ];
    if (statements.length === 0) return;
    await this.#database.transaction(async (tx) => {
      for (const statement of statements) await tx.run(statement);
    });
  }
}

/** Turns the pending notifications of a stopped server into dead letters. */
export const letterOutbox = (tx: Sql, worker: string): Promise<void> => {
  const columns = raw("id, scope_key, account_key, task_key, at, letter");
  return tx.run(
    sql`insert into assay_dead_letters (${columns}) select ${columns} from assay_outbox where worker = ${worker}`,
  );
};

const inParts = (all: readonly Query[]): Query[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, part) => all.slice(part * atOnce, (part + 1) * atOnce));
