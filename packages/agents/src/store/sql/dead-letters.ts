import { type Database, joined, type Query, type Sql, sql } from "@assay/storage";
import {
  type DeadLetter,
  type DeadLetterRoom,
  type DeadLetters,
  defaultLetterRoom,
  type Recipient,
} from "../dead-letter.ts";
import { digestOf } from "./keys.ts";

interface LetterRow {
  readonly letter: string;
}

/** Maximum number of rows that one statement adds or deletes. */
const atOnce = 100;

/**
 * Stores undelivered notifications in a database, where they outlive this process. They are written in
 * batches soon after they are added.
 */
export class StoredDeadLetters implements DeadLetters {
  readonly #database: Database;
  readonly #room: DeadLetterRoom;
  readonly #onError: (error: unknown) => void;
  #unwritten: (Recipient & { readonly letter: DeadLetter })[] = [];
  #writing: Promise<void> | undefined;

  constructor(database: Database, onError: (error: unknown) => void, room: DeadLetterRoom = defaultLetterRoom) {
    this.#database = database;
    this.#onError = onError;
    this.#room = room;
  }

  add(recipient: Recipient, letter: DeadLetter): void {
    this.#unwritten.push({ ...recipient, letter });
    // The next rows would push these out at once.
    if (this.#unwritten.length > this.#room.total) this.#unwritten.shift();
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async list(scope: string, taskId?: string): Promise<readonly DeadLetter[]> {
    await this.written();
    const ofTask = taskId === undefined ? sql`` : sql`and task_key = ${digestOf(taskId)}`;
    const rows = await this.#database.all<LetterRow>(
      sql`select letter from assay_dead_letters where scope_key = ${digestOf(scope)} ${ofTask}
          order by at desc, id desc limit ${this.#room.caller}`,
    );
    return rows.map(({ letter }) => JSON.parse(letter) as DeadLetter);
  }

  async clear(scope: string): Promise<void> {
    await this.written();
    await this.#database.run(sql`delete from assay_dead_letters where scope_key = ${digestOf(scope)}`);
  }

  /** Settles when added rows are on disk, or could not be written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // Rows added at the same time are written together.
    await Promise.resolve();
    while (this.#unwritten.length > 0) {
      const letters = this.#unwritten.splice(0, atOnce);
      const accounts = [...new Set(letters.map(({ account }) => digestOf(account)))].sort();
      await this.#database
        .transaction(async (tx) => {
          await tx.run(
            sql`insert into assay_dead_letters (id, scope_key, account_key, task_key, at, letter)
                values ${joined(letters.map(rowOf), ", ")}`,
          );
          for (const account of accounts) await trim(tx, sql`where account_key = ${account}`, this.#room.caller);
          await trim(tx, sql``, this.#room.total);
        })
        .catch(this.#onError);
    }
  }
}

const rowOf = ({ scope, account, letter }: Recipient & { readonly letter: DeadLetter }): Query =>
  sql`(${letter.id}, ${digestOf(scope)}, ${digestOf(account)}, ${digestOf(letter.taskId)}, ${Date.parse(letter.at)},
    ${JSON.stringify(letter)})`;

/** Keeps only the latest of these. */
const trim = (tx: Sql, which: Query, most: number): Promise<void> =>
  tx.run(
    sql`delete from assay_dead_letters where id in (
      select id from assay_dead_letters ${which} order by at desc, id desc limit ${atOnce} offset ${most})`,
  );
