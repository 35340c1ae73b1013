import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { openLedger } from "@assay/fleet";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../stores/postgres.fixture.ts";
import { listOf, sweeping } from "./fleet.fixture.ts";

/** The history database of a sweep is killed and started again while the sweep goes on. */

let postgres: PostgresServer;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres("durable");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await postgres?.close();
});

/** A way to the database that can be cut for as long as one likes: how long a restart takes is up to the machine. */
async function wayTo(address: string): Promise<{ address: string; cut(): void; mend(): Promise<void> }> {
  const { port, hostname } = new URL(address);
  const sockets = new Set<Socket>();
  const open = async (on: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on("error", () => {});
        one.on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve) => {
      server.listen(on, "127.0.0.1", resolve);
    });
    return server;
  };
  let server = await open(0);
  const { port: own } = server.address() as AddressInfo;
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  return {
    address: address.replace(`:${port}/`, `:${own}/`),
    cut,
    async mend() {
      server = await open(own);
    },
  };
}

/** Agents that want a login; the first request waits for its permission. */
async function startAgents(): Promise<{ url: string; first: Promise<void>; release(): void }> {
  let [arrived, release] = [() => {}, () => {}];
  const first = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createHttpServer((_request, response) => {
    arrived();
    void held.then(() => response.writeHead(401).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, first, release };
}

/** Waits until a process has said something, and fails where it ends before that. */
async function heard(sweep: ReturnType<typeof sweeping>, what: RegExp): Promise<void> {
  let said = "";
  const hears = new Promise<void>((resolve) => {
    for (const stream of [sweep.child.stdout!, sweep.child.stderr!])
      stream.on("data", (more) => {
        said += more;
        if (what.test(said)) resolve();
      });
  });
  const ends = sweep.ended.then(({ exit, err }) => Promise.reject(new Error(`ended with ${exit}: ${err}`)));
  await Promise.race([hears, ends]);
}

const away = /the history database does not respond/i;
const back = /the history database responds again/i;

describe.runIf(hasPostgres)("assay fleet, when the history database restarts", () => {
  test("in the middle of a sweep: it waits, and every agent has one verdict", async () => {
    const agents = await startAgents();
    const database = await postgres.newDatabase();
    const way = await wayTo(database);
    vi.stubEnv("E2E_HISTORY", way.address);
    const names = Array.from({ length: 6 }, (_, index) => `agent-${index}`);
    const folder = listOf(names.map((name) => ({ url: `${agents.url}/${name}`, name })));
    const sweep = sweeping(folder, "--history", "env:E2E_HISTORY");
    onTestFinished(() => void sweep.child.kill("SIGKILL"));
    await agents.first;
    const waits = heard(sweep, away);
    way.cut();
    await postgres.restart();
    agents.release();
    await waits;
    const goesOn = heard(sweep, back);
    await way.mend();
    await goesOn;
    const { exit, err } = await sweep.ended;
    expect(exit, err).toBe(0);
    // An outage is said once, however many asked.
    expect([err.match(new RegExp(away, "gi"))?.length, err.includes("s3cret")]).toEqual([1, false]);
    const ledger = await openLedger(database);
    onTestFinished(() => ledger.close());
    const [found] = await ledger.sweeps();
    expect(found).toMatchObject({ agents: 6, endedAt: expect.any(String) });
    const verdicts = await ledger.verdicts(found!.sweep);
    expect(verdicts.map(({ agent, class: is }) => `${agent} ${is}`).sort()).toEqual(
      names.map((name) => `${name} login-required`),
    );
  });

  test("between two sweeps of --every: the next one comes, and Ctrl-C ends it", async () => {
    const agents = await startAgents();
    agents.release();
    const way = await wayTo(await postgres.newDatabase());
    vi.stubEnv("E2E_HISTORY", way.address);
    const folder = listOf([{ url: agents.url, name: "a" }]);
    const sweep = sweeping(folder, "--history", "env:E2E_HISTORY", "--every", "1s");
    onTestFinished(() => void sweep.child.kill("SIGKILL"));
    await heard(sweep, /The next sweep starts/);
    const waits = heard(sweep, away);
    way.cut();
    await postgres.restart();
    await waits;
    const goesOn = heard(sweep, /responds again[\s\S]*The next sweep starts/);
    await way.mend();
    await goesOn;
    // Also while the database is away.
    const waitsAgain = heard(sweep, away);
    way.cut();
    await waitsAgain;
    sweep.child.kill("SIGINT");
    expect((await sweep.ended).exit).toBe(130);
  });
});
