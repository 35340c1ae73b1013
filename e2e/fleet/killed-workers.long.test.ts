import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FleetVerdict, openLedger } from "@assay/fleet";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../stores/postgres.fixture.ts";
import { type Assay, startSweep, startWorker } from "./processes.fixture.ts";
import { type ProvenAgent, type ProvenAgents, startAgents } from "./proven-agents.fixture.ts";
import { hasRedis, startRedis } from "./redis.fixture.ts";

/**
 * Workers are killed in the middle of a sweep, and the queue's server crashes and comes back: every agent has exactly one verdict, the
 * right one.
 */
const count = Number(process.env["ASSAY_AGENTS"] ?? 300);
const [workers, kills] = [4, 2];
const engines = [
  { name: "Redis", isTried: hasRedis, start: startRedis },
  { name: "PostgreSQL", isTried: hasPostgres, start: () => startPostgres("durable") },
];

/** Everything is on this machine: no host may be asked too little, and what is silent is so for a short time only. */
const pace = ["--allow-host", "127.0.0.1", "--host-concurrency", "100", "--host-rate", "1000", "--timeout", "10"];
const haste = [...pace, "--attempts", "2", "--retry-pause", "1", "--lease", "3", "--concurrency", "3"];

const folder = mkdtempSync(join(tmpdir(), "assay-sweep-"));
let proven: ProvenAgents;
let postgres: PostgresServer;
beforeAll(async () => {
  proven = await startAgents(count);
  if (hasPostgres) postgres = await startPostgres("durable");
});
afterAll(async () => {
  await proven?.close();
  await postgres?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(hasPostgres).each(engines.filter(({ isTried }) => isTried))("on $name", ({ start }) => {
  test("every agent has exactly one verdict, the right one", { timeout: 300_000 + count * 10_000 }, async () => {
    const server = await start();
    onTestFinished(() => server.close());
    const shared = { queue: await server.newDatabase(), history: await postgres.newDatabase() };
    const list = join(folder, "agents.ndjson");
    writeFileSync(list, proven.agents.map(({ is: _, ...row }) => JSON.stringify(row)).join("\n"));

    const sweep = startSweep(list, shared);
    const crew = Array.from({ length: workers }, () => startWorker(shared, ...haste));
    onTestFinished(() => {
      for (const each of [sweep, ...crew]) each.kill("SIGKILL");
    });

    // A worker is killed when some agents are settled and it is at work on others; in between, the server crashes.
    for (const [index, worker] of crew.slice(0, kills).entries()) {
      await settledBy(crew, Math.ceil((count * (index + 1)) / (kills + 3)));
      worker.kill("SIGKILL");
      if (index === 0) await server.restart();
    }
    expect(await sweep.ended, sweep.said()).toBe(0);
    for (const worker of crew.slice(kills)) worker.kill("SIGTERM");
    const codes = await Promise.all(crew.map(({ ended }) => ended));
    expect(codes).toEqual([...Array(kills).fill(null), ...Array(workers - kills).fill(0)]);

    const ledger = await openLedger(shared.history);
    onTestFinished(() => ledger.close());
    const [found] = await ledger.sweeps();
    expect(found).toMatchObject({ agents: count, endedAt: expect.any(String) });
    expect(complaints(proven.agents, await ledger.verdicts(found!.sweep))).toEqual([]);
    for (const each of [sweep, ...crew]) expect(each.said()).not.toMatch(/s3cret|a-token/);
  });
});

/** Waits until the workers have given so many verdicts together. */
async function settledBy(crew: readonly Assay[], least: number): Promise<void> {
  const given = (): number => crew.flatMap(({ lines }) => lines.filter(({ event }) => event === "verdict")).length;
  while (given() < least) await pause(50);
}

/** What is wrong with the verdicts of a sweep. */
function complaints(agents: readonly ProvenAgent[], verdicts: readonly FleetVerdict[]): string[] {
  const known = new Map(agents.map((agent) => [agent.name, agent]));
  const byAgent = new Map<string, FleetVerdict[]>();
  for (const verdict of verdicts) byAgent.set(verdict.agent, [...(byAgent.get(verdict.agent) ?? []), verdict]);
  return [
    ...agents.flatMap(({ name, is }) => {
      const given = byAgent.get(name) ?? [];
      if (given.length !== 1) return [`${name} has ${given.length} verdicts`];
      const [{ class: found, reason, attempts }] = given as [FleetVerdict];
      return found === is
        ? []
        : [`${name} is ${is}, and was said to be ${found} (${reason.code}, attempt ${attempts})`];
    }),
    ...[...byAgent.keys()].filter((name) => !known.has(name)).map((name) => `${name} is in no list`),
  ];
}
