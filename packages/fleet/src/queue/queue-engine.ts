import type { Job, Processor, Queue, QueueOptions, Worker, WorkerOptions } from "bullmq";
import type { QueuedJob } from "./fleet-queue.ts";
import { reconnectPause } from "./patience.ts";
import { type QueueAddress, queueUnavailable, shownQueue } from "./queue-address.ts";

type Library = typeof import("bullmq");

/** BullMQ on one server: what differs between Redis and PostgreSQL ends here. */
export interface QueueEngine {
  readonly library: Library;
  queue(options: Omit<QueueOptions, "connection">): Queue<QueuedJob>;
  worker(process: Processor<QueuedJob>, options: Omit<WorkerOptions, "connection">): Worker<QueuedJob>;
}

export type EngineJob = Job<QueuedJob>;

/** All jobs of all fleets: a worker takes whatever there is. */
const queueName = "assay-fleet";
/** Name prefix that separates the queue's tables from others in the same database. */
const schema = "assay_queue";
/** connections of one process to PostgreSQL, besides one that listens */
const connections = 4;
const connectMs = 10_000;

/** Loads the libraries and checks that the server is usable. An unusable server is an error now, not later. */
export async function openEngine(address: QueueAddress): Promise<QueueEngine> {
  const library = await loaded<Library>("bullmq", address);
  return address.kind === "redis" ? onRedis(library, address) : onPostgres(library, address);
}

async function onRedis(library: Library, address: QueueAddress): Promise<QueueEngine> {
  const { Redis } = await loaded<typeof import("ioredis")>("ioredis", address);
  const probe = new Redis(address.url, { lazyConnect: true, connectTimeout: connectMs, retryStrategy: null });
  probe.on("error", () => {});
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    throw queueUnavailable(`${shownQueue(address)} cannot be reached: ${(error as Error).message}`);
  } finally {
    probe.disconnect();
  }
  // A command waits for as long as the server is gone; it is not given up after some attempts.
  const connection = { url: address.url, maxRetriesPerRequest: null, retryStrategy: (n: number) => reconnectPause(n) };
  return {
    library,
    queue: (options) => new library.Queue(queueName, { ...options, connection }),
    worker: (process, options) => new library.Worker(queueName, process, { ...options, connection }),
  };
}

async function onPostgres(library: Library, address: QueueAddress): Promise<QueueEngine> {
  await loaded("pg", address);
  const connection = {
    connectionString: address.url,
    schema,
    application_name: "assay",
    max: connections,
    connectionTimeoutMillis: connectMs,
  };
  const { PostgresConnection, createPostgresBackend } = library;
  // Tables are made and brought up to date here, under the library's lock, and never by a connection that happens to be the first.
  const migration = new PostgresConnection({ ...connection, migrate: true });
  migration.on("error", () => {});
  try {
    await migration.waitUntilReady();
  } catch (error) {
    throw queueUnavailable(`${shownQueue(address)} cannot be used as a queue: ${reasonOf(error)}`);
  } finally {
    await migration.close();
  }
  // The types of the library say "Redis" unless each of its parameters is spelled out; nothing here depends on which it is.
  return {
    library,
    queue: (options) =>
      new library.Queue(queueName, { ...options, connection }, createPostgresBackend) as unknown as Queue<QueuedJob>,
    worker: (process, options) =>
      new library.Worker(
        queueName,
        process as Processor,
        { ...options, connection },
        createPostgresBackend,
      ) as unknown as Worker<QueuedJob>,
  };
}

/** A host with several addresses fails with one error for each, and no words of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && !error.message
    ? error.errors.map((each) => (each as Error).message).join("; ")
    : (error as Error).message;

async function loaded<T>(name: "bullmq" | "ioredis" | "pg", { kind }: QueueAddress): Promise<T> {
  try {
    switch (name) {
      case "bullmq":
        return (await import("bullmq")) as T;
      case "ioredis":
        return (await import("ioredis")) as T;
      case "pg":
        return (await import("pg")) as T;
    }
  } catch {
    const needed = kind === "redis" ? "bullmq ioredis" : "bullmq pg";
    throw queueUnavailable(`A queue needs the packages ${needed} beside assay: npm install ${needed}`);
  }
}
