import type { Client, ClientBase, Pool, PoolClient } from "pg";
import { type DatabaseAddress, shownAddress } from "../address.ts";
import { type Database, DatabaseUnavailable, type Sql } from "../database.ts";
import { joined, type Query, raw, sql } from "../query.ts";
import { Turns } from "./turns.ts";

type PostgresAddress = Extract<DatabaseAddress, { kind: "postgres" }>;
type Library = typeof import("pg");

const connections = 10;
const connectMs = 10_000;
/**
 * What passes is tried again, as long as nothing of it can have been done: a deadlock or a conflict, which are another
 * transaction's good luck; a server that is starting or stopping; a connection that was cut.
 */
const mostAttempts = 5;
const isPassing = (error: unknown): boolean =>
  /^(40001|40P01|08...|57P..|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(codeOf(error));
/** It will not be there in a moment, but may be later: no room (on the disk, for a connection), a disk that fails, a standby that takes no writes. */
const isUnable = (error: unknown): boolean => /^(53...|58...|25006)$/.test(codeOf(error));
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";
const againMs = 100;
const relistenMs = 500;
/** the number of PostgreSQL's type int8, which its library reads as text unless told otherwise */
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
    : new DatabaseUnavailable(`${shownAddress(address)} cannot be reached: ${reasonOf(error)}`, error);

/** A host with several addresses fails with one error for each, and no words of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && !error.message
    ? error.errors.map((each) => (each as Error).message).join("; ")
    : (error as Error).message;

async function loadLibrary(): Promise<Library> {
  try {
    const { default: library } = await import("pg");
    return library as unknown as Library;
  } catch {
    throw new DatabaseUnavailable("PostgreSQL needs the package pg beside assay: npm install pg");
  }
}

class PostgresDatabase implements Database {
  readonly kind = "postgres";
  readonly #library: Library;
  readonly #address: PostgresAddress;
  readonly #pool: Pool;
  /** The patience of the pool is that for a new connection. Those who wait for one that is lent wait as long as the database is busy. */
  readonly #turns = new Turns(connections);
  readonly #listeners = new Set<Listener>();

  constructor(library: Library, address: PostgresAddress) {
    this.#library = library;
    this.#address = address;
    this.#pool = new library.Pool({ ...settings(library, address), max: connections, onConnect: durable });
    // A connection that breaks while it is idle, or just when it is lent or given back, is replaced when one is needed.
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

  /** Lends a connection for some work, and where that fails in passing, another. */
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
        if (!(mayRepeat && passes))
          throw passes || !client || isUnable(error) ? unavailable(this.#address, error) : error;
      } finally {
        client?.off("error", breaks);
        // One that was cut is not used again.
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

/** What those who borrow a connection have to say of it. */
interface Loan {
  /** What is sent from now on may have been done though no answer comes: it is not tried again. */
  readonly commits: () => void;
  /** The connection is good for nothing more. */
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

/** A connection of its own that listens, and comes back when it is cut. */
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

  /** Tries until it listens again. */
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
    // Times and versions: all of them are whole numbers that JavaScript can tell apart.
    getTypeParser: ((oid: number, format?: "text") =>
      oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
  },
});

/** Whatever the server's default is: what is acknowledged has to be on disk. */
const durable = (client: ClientBase): Promise<unknown> => client.query("set synchronous_commit to on");

/** Statements by their text: the server plans each once for a connection. */
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

/** Several statements in one: one way to the server and back. */
function together(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!;
  const named = queries.map((query, index) => sql`${raw(`step_${index}`)} as (${query})`);
  return sql`with ${joined(named, ", ")} select 1`;
}
