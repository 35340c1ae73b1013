import { openDatabase, raw, sql } from "@assay/storage";
import { Redis } from "ioredis";

/** The server of a queue, with its own statistics. */
export interface QueueServer {
  readonly name: string;
  /** Returns the address of a new, empty queue. */
  newQueue(): Promise<string>;
  /** Returns the number of operations so far: commands of Redis, or transactions of PostgreSQL. */
  operations(address: string): Promise<number>;
  /** Returns the size of a queue: the memory of Redis, or the database of PostgreSQL on disk. */
  bytes(address: string): Promise<number>;
}

export const operationWord = { Redis: "commands", PostgreSQL: "transactions" } as const;

export function redisServer(address: string): QueueServer {
  let made = 0;
  const told = async (url: string, section: string, field: string): Promise<number> => {
    const client = new Redis(url, { lazyConnect: true });
    await client.connect();
    const info = await client.info(section);
    client.disconnect();
    return Number(new RegExp(`^${field}:(\\d+)`, "m").exec(info)?.[1]);
  };
  return {
    name: "Redis",
    newQueue: async () => `${address}/${++made}`,
    operations: (url) => told(url, "stats", "total_commands_processed"),
    bytes: (url) => told(url, "memory", "used_memory"),
  };
}

export function postgresServer(address: string): QueueServer {
  let made = 0;
  const asked = async (url: string, what: ReturnType<typeof sql>): Promise<number> => {
    const database = await openDatabase(url);
    const [row] = await database.all<{ answer: number }>(what);
    await database.close();
    return row!.answer;
  };
  return {
    name: "PostgreSQL",
    async newQueue() {
      // Programs that run one after the other share the server, so each queue needs its own name.
      const name = `queue_${process.pid}_${++made}`;
      const database = await openDatabase(address);
      await database.run(sql`create database ${raw(name)}`);
      await database.close();
      return address.replace(/[^/]+$/, name);
    },
    operations: (url) =>
      asked(url, sql`select xact_commit::bigint as answer from pg_stat_database where datname = current_database()`),
    bytes: (url) => asked(url, sql`select pg_database_size(current_database())::bigint as answer`),
  };
}
