import { freemem } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@assay/protocol";
import type { ActsFile, Test } from "@assay/scenarios";
import { createEgressGuard, createHttpClient, discoverCard, type HttpClient } from "@assay/wire";
import { ClientDriver, DriverDied } from "../driver/client-driver.ts";
import type { DriverDescription } from "../driver/description.ts";
import { Host } from "../driver/host.ts";
import { ServerDriver } from "../driver/server-driver.ts";
import { type Pairing, pairingsOf, testsFor } from "./pairing.ts";
import type { MatrixRecord } from "./record.ts";
import { packageOf, recordOf, type SealedSuite } from "./record.ts";
import { chainId, runChain } from "./run-chain.ts";
import { runPairing } from "./run-pairing.ts";

export interface MatrixOptions {
  readonly drivers: readonly DriverDescription[];
  readonly file: ActsFile;
  readonly suite: SealedSuite;
  /** which pairings (default: all) */
  readonly only?: (pairing: Pairing) => boolean;
  /** which scenarios (default: all) */
  readonly onlyTests?: (test: Test) => boolean;
  /** maximum number of concurrent pairings */
  readonly jobs: number;
  /** bytes of memory to keep free: with less, no further pairing starts */
  readonly spareBytes: number;
  /** the environment of driver programs */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** relays an instruction from server to server */
  readonly chain?: boolean;
  /** ids of pairings done in an earlier session */
  readonly done?: ReadonlySet<string>;
  record(record: MatrixRecord): void;
  onProgress?(progress: MatrixProgress): void;
}

export interface MatrixProgress {
  readonly pairings: number;
  readonly total: number;
  /** the pairing that has just started or ended */
  readonly pairing: string;
  readonly event: "begun" | "ended";
  readonly cells?: Readonly<Record<string, number>>;
  readonly remainingMs?: number;
}

/** Returns the planned pairings and scenarios. */
export function planOf({
  drivers,
  file,
  only = () => true,
  onlyTests = () => true,
}: Pick<MatrixOptions, "drivers" | "file" | "only" | "onlyTests">): {
  readonly pairings: readonly Pairing[];
  readonly cells: number;
} {
  const pairings = pairingsOf(drivers).filter(only);
  const cells = pairings.reduce((sum, each) => sum + testsFor(file, each).filter(onlyTests).length, 0);
  return { pairings, cells };
}

/**
 * Runs every pairing, server by server, so that few servers run at a time. Results are recorded as soon as
 * they are known.
 */
export async function runMatrix(options: MatrixOptions): Promise<void> {
  const { drivers, env, signal, done = new Set() } = options;
  const { pairings } = planOf(options);
  const left = pairings.filter(({ id }) => !done.has(id));
  const clients = new Map(
    drivers.map((driver) => [driver.name, new Host(driver.name, "client", () => ClientDriver.start(driver, env))]),
  );
  const progress = new Progress(pairings.length, left.length, options);
  const runOne = async (pairing: Pairing, server: Host<ServerDriver>, cards: CardShelf): Promise<void> => {
    progress.begun(pairing);
    const startedAt = performance.now();
    const at = new Date().toISOString();
    const result = await runPairing(pairing, {
      client: clients.get(pairing.client.name)!,
      server,
      file: options.file,
      tests: testsFor(options.file, pairing).filter(options.onlyTests ?? (() => true)),
      version: options.suite.version,
      signal,
      cardOf: (url) => cards.of(url),
    });
    // An interrupted pairing is repeated as a whole.
    if (signal.aborted) return;
    const duration_ms = Math.round(performance.now() - startedAt);
    const record = recordOf(pairing, result, { suite: options.suite, at, duration_ms });
    options.record(record);
    progress.ended(
      pairing,
      record.cells.map(({ outcome }) => outcome),
    );
  };
  const http = createHttpClient({ guard: createEgressGuard({ trustedHosts: ["127.0.0.1"], allowLoopback: true }) });
  try {
    const servers = new ServersInTurn(left, env);
    const cards = new CardShelf(http);
    await inPool(left, options.jobs, async (pairing) => {
      await room(options, progress);
      if (!signal.aborted) await runOne(pairing, servers.of(pairing), cards);
      await servers.done(pairing);
    });
    if (options.chain && !signal.aborted) await runChains(options, pairings);
  } finally {
    await Promise.all([...clients.values()].map((host) => host.stop()));
    await http.close();
  }
}

/** Runs jobs in order with limited concurrency. */
async function inPool<T>(jobs: readonly T[], size: number, work: (job: T) => Promise<void>): Promise<void> {
  const queue = jobs[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: Math.min(size, jobs.length) }, async () => {
      for (const job of queue) await work(job);
    }),
  );
}

/** Runs one instruction for each binding and version through all servers that support it. */
async function runChains(options: MatrixOptions, pairings: readonly Pairing[]): Promise<void> {
  const { drivers, env, signal, suite, record } = options;
  const names = new Set(pairings.map(({ server }) => server.name));
  const running = new Map<DriverDescription, ServerDriver>();
  try {
    for (const driver of drivers.filter(({ name }) => names.has(name))) {
      const server = await ServerDriver.start(driver, env).catch(unlessDied);
      if (server) running.set(driver, server);
    }
    const ways = new Map(pairings.map(({ binding, version }) => [`${binding} ${version}`, { binding, version }]));
    for (const spoken of ways.values()) {
      const speaking = [...running].filter(([{ server }]) => server?.speaks[spoken.version]?.includes(spoken.binding));
      const servers = new Map(speaking.map(([{ name }, { agents }]) => [name, agents]));
      if (servers.size < 2 || signal.aborted || options.done?.has(chainId(spoken))) continue;
      const chain = await runChain({ spoken, servers, version: suite.version, signal });
      const sealed = Object.fromEntries(speaking.map(([driver]) => [driver.name, packageOf(driver, "server")]));
      // An interrupted chain is repeated as a whole.
      if (!signal.aborted) record({ ...chain, seal: { servers: sealed, suite } });
    }
  } finally {
    await Promise.all([...running.values()].map((server) => server.stop()));
  }
}

/** A server that does not start takes no part in chains; its cells say why. */
function unlessDied(error: unknown): undefined {
  if (!(error instanceof DriverDied)) throw error;
  return undefined;
}

/** Starts servers on first use, and stops them after their last. */
class ServersInTurn {
  readonly #hosts = new Map<string, Host<ServerDriver>>();
  readonly #left = new Map<string, number>();

  constructor(pairings: readonly Pairing[], env: MatrixOptions["env"]) {
    for (const { server } of pairings) {
      this.#left.set(server.name, (this.#left.get(server.name) ?? 0) + 1);
      if (!this.#hosts.has(server.name))
        this.#hosts.set(server.name, new Host(server.name, "server", () => ServerDriver.start(server, env)));
    }
  }

  of({ server }: Pairing): Host<ServerDriver> {
    return this.#hosts.get(server.name)!;
  }

  async done({ server }: Pairing): Promise<void> {
    const left = this.#left.get(server.name)! - 1;
    this.#left.set(server.name, left);
    if (left === 0) await this.#hosts.get(server.name)!.stop();
  }
}

/** Waits until there is memory for one more, unless none is running. */
async function room({ spareBytes, signal }: MatrixOptions, progress: Progress): Promise<void> {
  while (progress.running > 0 && freemem() < spareBytes && !signal.aborted) await delay(250);
}

/** Reads the cards of a server's agents, once each. */
class CardShelf {
  readonly #http: HttpClient;
  readonly #cards = new Map<string, Promise<JsonObject | undefined>>();

  constructor(http: HttpClient) {
    this.#http = http;
  }

  of(url: string): Promise<JsonObject | undefined> {
    const card = this.#cards.get(url) ?? discoverCard(this.#http, url, []).then(({ found }) => found?.json);
    this.#cards.set(url, card);
    return card;
  }
}

class Progress {
  readonly #total: number;
  readonly #options: MatrixOptions;
  readonly #startedAt = performance.now();
  readonly #before: number;
  #ended = 0;
  running = 0;

  constructor(total: number, left: number, options: MatrixOptions) {
    this.#total = total;
    this.#before = total - left;
    this.#options = options;
  }

  begun({ id }: Pairing): void {
    this.running += 1;
    this.#tell(id, "begun");
  }

  ended({ id }: Pairing, outcomes: readonly string[]): void {
    this.running -= 1;
    this.#ended += 1;
    const cells: Record<string, number> = {};
    for (const outcome of outcomes) cells[outcome] = (cells[outcome] ?? 0) + 1;
    this.#tell(id, "ended", cells);
  }

  #tell(pairing: string, event: "begun" | "ended", cells?: Readonly<Record<string, number>>): void {
    const left = this.#total - this.#before - this.#ended;
    const each = this.#ended ? (performance.now() - this.#startedAt) / this.#ended : undefined;
    this.#options.onProgress?.({
      pairings: this.#before + this.#ended,
      total: this.#total,
      pairing,
      event,
      ...(cells && { cells }),
      ...(each !== undefined && { remainingMs: Math.round(each * left) }),
    });
  }
}
