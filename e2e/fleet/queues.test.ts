import { type FleetQueue, openQueue } from "@assay/fleet";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { jobOf, queueCases } from "../../packages/fleet/src/queue/queue.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { hasPostgres, startPostgres } from "../stores/postgres.fixture.ts";
import { hasRedis, startRedis } from "./redis.fixture.ts";

/**
 * The queue of many machines keeps what the queue of one process promises, on a real server, and more. `npm test` tries it on
 * Redis, `npm run prove -- fleet` on both.
 */
const engines = [
  { name: "Redis", isTried: hasRedis, start: startRedis },
  { name: "PostgreSQL", isTried: hasPostgres && (provesAll || !hasRedis), start: () => startPostgres("durable") },
];

describe.each(engines.filter(({ isTried }) => isTried))("on $name", ({ start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());

  const opened = async (address: string, trouble: (error: Error) => void = () => {}): Promise<FleetQueue> => {
    const queue = await openQueue(address, { lease: 600, trouble, afterTroubleMs: 5 });
    onTestFinished(() => queue.close());
    return queue;
  };

  test.each(queueCases.map(({ title, run }) => [title, run] as const))("%s", async (_title, run) => {
    await run(await opened(await server.newDatabase()));
  });

  testIf(provesAll)(
    "a job whose worker is not heard of any more is handed to another, as another attempt",
    async () => {
      const address = await server.newDatabase();
      const [dead, alive] = [await opened(address), await opened(address)];
      await dead.add([jobOf("a")]);
      const stop = new AbortController();
      const taken = new Promise<void>((resolve) => {
        // It never comes back, and neither does its heart beat: what stops it here is the end of the test.
        const never = async (): Promise<never> => {
          resolve();
          return new Promise(() => {});
        };
        void dead.work(never, { concurrency: 1, signal: stop.signal });
      });
      await taken;
      stop.abort();
      const attempts: number[] = [];
      await alive.work(
        async (_job, attempt) => {
          attempts.push(attempt);
          return { done: true };
        },
        { concurrency: 1, signal: new AbortController().signal, untilEmpty: true },
      );
      expect(attempts).toEqual([2]);
    },
  );

  test("nothing is lost when the server crashes and comes back, and no trouble tells its password", async () => {
    const told: string[] = [];
    const queue = await opened(await server.newDatabase(), (error) => told.push(`${error.message} ${error.stack}`));
    const names = Array.from({ length: 40 }, (_, index) => `agent-${index}`);
    await queue.add(names.slice(0, 20).map((name) => jobOf(name)));
    const seen = new Set<string>();
    let restarted: Promise<void> | undefined;
    const handle = async ({ agent }: { readonly agent: string }) => {
      seen.add(agent);
      restarted ??= server.restart().then(() => queue.add(names.slice(20).map((name) => jobOf(name))));
      await restarted;
      return { done: true } as const;
    };
    await queue.work(handle, { concurrency: 4, signal: new AbortController().signal, untilEmpty: true });
    expect([...seen].sort()).toEqual(names.sort());
    expect(told.join("\n")).not.toMatch(/s3cret/);
  });
});
