import type { Client, ClientBase, Pool, PoolClient } from "pg";
import { type DatabaseAddress, shownAddress } from "../address.ts";
import { type Database, DatabaseUnavailable, type Sql } from "../database.ts";
import { joined, type Query, raw, sql } from "../query.ts";

/** Limits concurrency. Later callers wait for a turn, first come first served, without a timeout. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atATime: number) {
    this.#free = atATime;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

type PostgresAddress = Extract<DatabaseAddress, { kind: "postgres" }>;
type Library = typeof import("pg");

const connections = 10;
const connectMs = 10_000;
/**
 * Limits the retries of a passing failure. Only work that cannot have been committed is retried: after a
 * deadlock or conflict, while the server starts or stops, or after a cut connection.
 */
const mostAttempts = 5;
/** Recognizes a deadlock or conflict: the server has rolled the work back, even if it was to be committed. */
const isRolledBack = (error: unknown): boolean => /^(40001|40P01)$/.test(codeOf(error));
const isPassing = (error: unknown): boolean =>
  /^(40001|40P01|08...|57P..|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(codeOf(error));
/**
 * Recognizes failures that last longer than a moment: no room on disk or for a connection, a failing disk, a
 * read-only standby.
 */
const isUnable = (error: unknown): boolean => /^(53...|58...|25006)$/.test(codeOf(error));
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";
const againMs = 100;
const relistenMs = 500;
/** the number of PostgreSQL's type int8, which its library returns as text by default */
const int8 = 20;

export async function openPostgres(address: PostgresAddress): Promise<Database> {
  const library = await loadLibrary();
  const database = new PostgresDatabase(library, address);
  try {
    await database.all(sql`select 1`);
    return database;
  } catch (error) {
    await database.close();
    throw unavailable(address, error);
  }
}

const unavailable = (address: PostgresAddress, error: unknown): DatabaseUnavailable =>
  error instanceof DatabaseUnavailable
    ? error
    : new DatabaseUnavailable(`Cannot reach ${shownAddress(address)}: ${reasonOf(error)}`, error);

/** A host with several addresses fails with one error for each and an empty message. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && !error.message
    ? error.errors.map((each) => (each as Error).message).join("; ")
    : (error as Error).message;

async function loadLibrary(): Promise<Library> {
  try {
    const { default: library } = await import("pg");
    return library as unknown as Library;
  } catch {
    throw new DatabaseUnavailable("PostgreSQL needs the package pg. Install it: npm install pg");
  }
}

class PostgresDatabase implements Database {
  readonly kind = "postgres";
  readonly #library: Library;
  readonly #address: PostgresAddress;
  readonly #pool: Pool;
  /**
   * Queues callers outside the pool, because the pool's timeout is meant for opening a connection. Callers
   * wait for a borrowed connection for as long as the database is busy.
   */
  readonly #turns = new Turns(connections);
  readonly #listeners = new Set<Listener>();

  constructor(library: Library, address: PostgresAddress) {
    this.#library = library;
    this.#address = address;
    this.#pool = new library.Pool({ ...settings(library, address), max: connections, onConnect: durable });
    // A connection that breaks while idle, borrowed or returned is replaced when one is needed.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  all<Row>(query: Query): Promise<Row[]> {
    return this.#lend((client) => rowsOf<Row>(client, query));
  }

  async run(...queries: readonly Query[]): Promise<void> {
    await this.#lend((client, { commits }) => {
      commits();
      return rowsOf(client, together(queries));
    });
  }

  write<Row>(query: Query): Promise<Row[]> {
    return this.#lend((client, { commits }) => {
      commits();
      return rowsOf<Row>(client, query);
    });
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#lend(async (client, { commits, breaks }) => {
      await client.query("begin");
      try {
        const result = await work(new Transaction(client));
        commits();
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch(breaks);
        throw error;
      }
    });
  }

  /** Lends a connection for some work. After a passing failure it lends another one. */
  async #lend<T>(work: (client: PoolClient, loan: Loan) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let mayRepeat = attempt < mostAttempts;
      let client: PoolClient | undefined;
      let cut: Error | undefined;
      const breaks = (error: Error): void => {
        cut = error;
      };
      const commits = (): void => {
        mayRepeat = false;
      };
      await this.#turns.take();
      try {
        client = await this.#pool.connect();
        client.on("error", breaks);
        return await work(client, { commits, breaks });
      } catch (error) {
        const passes = cut !== undefined || isPassing(error);
        mayRepeat ||= attempt < mostAttempts && isRolledBack(error);
        if (!(mayRepeat && passes))
          throw passes || !client || isUnable(error) ? unavailable(this.#address, error) : error;
      } finally {
        client?.off("error", breaks);
        // A cut connection is not reused.
        client?.release(cut);
        this.#turns.give();
      }
      await new Promise((resolve) => setTimeout(resolve, againMs * attempt));
    }
  }

  async listen(channel: string, heard: (words: string) => void, missed: () => void): Promise<void> {
    const listener = new Listener(() => new this.#library.Client(settings(this.#library, this.#address)), {
      channel,
      heard,
      missed,
    });
    this.#listeners.add(listener);
    await listener.start().catch((error: unknown) => {
      throw unavailable(this.#address, error);
    });
  }

  async tell(channel: string, words: string): Promise<void> {
    await this.all(sql`select pg_notify(${channel}, ${words})`);
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners) await listener.close();
    await this.#pool.end();
  }
}

/** Reports of a borrower about its connection. */
interface Loan {
  /** Marks later statements as possibly committed even without an answer, so they are not retried. */
  readonly commits: () => void;
  /** Marks the connection as unusable. */
  readonly breaks: (error: Error) => void;
}

class Transaction implements Sql {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  all<Row>(query: Query): Promise<Row[]> {
    return rowsOf<Row>(this.#client, query);
  }

  async run(...queries: readonly Query[]): Promise<void> {
    await rowsOf(this.#client, together(queries));
  }
}

interface Ear {
  readonly channel: string;
  readonly heard: (words: string) => void;
  readonly missed: () => void;
}

/** A dedicated listening connection that reconnects after a cut. */
class Listener {
  readonly #connect: () => Client;
  readonly #ear: Ear;
  #client: Client | undefined;
  #closed = false;

  constructor(connect: () => Client, ear: Ear) {
    this.#connect = connect;
    this.#ear = ear;
  }

  async start(): Promise<void> {
    const client = this.#connect();
    client.on("error", () => {});
    client.on("notification", ({ payload }) => this.#ear.heard(payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#ear.channel)}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    client.on("end", () => this.#comeBack());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => {});
  }

  /** Retries until it listens again. */
  #comeBack(): void {
    if (this.#closed) return;
    setTimeout(() => {
      if (this.#closed) return;
      this.start().then(
        () => this.#ear.missed(),
        () => this.#comeBack(),
      );
    }, relistenMs).unref();
  }
}

const settings = ({ types }: Library, { url }: PostgresAddress) => ({
  connectionString: url,
  application_name: "assay",
  connectionTimeoutMillis: connectMs,
  types: {
    // Times and versions are integers that a JavaScript number holds exactly.
    getTypeParser: ((oid: number, format?: "text") =>
      oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
  },
});

/** Overrides the server's default: acknowledged data must be on disk. */
const durable = (client: ClientBase): Promise<unknown> => client.query("set synchronous_commit to on");

/** Statement names by text. The server plans each once per connection. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `assay_${names.size}`;
  names.set(text, name);
  return name;
}

async function rowsOf<Row>(client: ClientBase, query: Query): Promise<Row[]> {
  const text = query.text((index) => `$${index}`);
  const { rows } = await client.query({ name: nameOf(text), text, values: [...query.values] });
  return rows;
}

/** Combines several statements into one round trip. */
function together(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!;
  const named = queries.map((query, index) => sql`${raw(`step_${index}`)} as (${query})`);
  return sql`with ${joined(named, ", ")} select 1`;
}
