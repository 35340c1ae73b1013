import type { Job, Processor, Queue, QueueOptions, Worker, WorkerOptions } from "bullmq";
import type { QueuedJob } from "./fleet-queue.ts";
import { reconnectPause } from "./patience.ts";
import { type QueueAddress, queueUnavailable, shownQueue } from "./queue-address.ts";

type Library = typeof import("bullmq");

/** BullMQ on one server. It hides the differences between Redis and PostgreSQL. */
export interface QueueEngine {
  readonly library: Library;
  queue(options: Omit<QueueOptions, "connection">): Queue<QueuedJob>;
  worker(process: Processor<QueuedJob>, options: Omit<WorkerOptions, "connection">): Worker<QueuedJob>;
}

export type EngineJob = Job<QueuedJob>;

/** One queue for all fleets: workers take any job. */
const queueName = "assay-fleet";
/** Name prefix that separates the queue's tables from others in the same database. */
const schema = "assay_queue";
/** connections of one process to PostgreSQL, in addition to one that listens */
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
  // Commands wait as long as the server is unreachable, without a limit of attempts.
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
  // Create and migrate the tables here, under the library's lock, and never in the first connection by chance.
  const migration = new PostgresConnection({ ...connection, migrate: true });
  migration.on("error", () => {});
  try {
    await migration.waitUntilReady();
  } catch (error) {
    throw queueUnavailable(`${shownQueue(address)} cannot be used as a queue: ${reasonOf(error)}`);
  } finally {
    await migration.close();
  }
  // The library's types default to Redis unless every parameter is given. Nothing here depends on the difference.
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

/**
 * Returns the reason of an error. A host with several addresses fails with one error each and no message of its own.
 */
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
