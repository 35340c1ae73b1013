import type { StreamResponse } from "@assay/protocol";
import { randomFrom } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asked, message, streamed } from "./asking.fixture.ts";
import { allListed, cancelOpen, complaintsOf, untilSettled } from "./finding.fixture.ts";
import { loadOn } from "./load.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";
import { refusedOnEveryWire, unavailableOnEveryWire } from "./refused-wires.fixture.ts";
import { serveOn } from "./served.fixture.ts";
import { Witness } from "./witness.fixture.ts";

const flags = ["--lease", "1", "--time-scale", "0.05"];
const patience = { timeout: 250_000, interval: 100 };
const restarts = 10;

/** The server survives a crash and an outage of PostgreSQL, and reports them. */
describe.runIf(hasPostgres)("a database outage", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres("durable");
  });
  afterAll(() => postgres?.close());

  test("an outage returns unavailable on every binding, leaves no client waiting and is logged once", async () => {
    const served = await serveOn(await postgres.newDatabase(), ...flags);
    onTestFinished(() => served.kill());
    const agent = `${served.url}/full`;
    const readiness = async () => (await fetch(`${served.url}/ready`)).status;
    const { task: waiting } = await asked(agent, "SendMessage", message("multi-turn start"));
    const { task: done } = await asked(agent, "SendMessage", message("task-lifecycle"));
    const begun: string[] = [];
    const following = follow(streamed(agent, "SendStreamingMessage", message("chunks 100000 10")), begun);
    await vi.waitFor(() => expect(begun).toHaveLength(1), patience);

    await postgres.stop();
    expect(await following).toBeInstanceOf(Error);
    await vi.waitFor(async () => expect(await readiness()).toBe(503), patience);
    for (let round = 0; round < 3; round++)
      expect(await refusedOnEveryWire(served.url)).toEqual(unavailableOnEveryWire);
    for (const taskId of [waiting!.id, done!.id])
      await expect(asked(agent, "GetTask", { id: taskId })).rejects.toThrow("store");
    const keys = await fetch(`${served.url}/.well-known/jwks.json`);
    expect([keys.status, keys.headers.get("retry-after")]).toEqual([503, "5"]);
    await expect(asked(agent, "SendMessage", message("done", { taskId: waiting!.id }))).rejects.toThrow("store");

    await postgres.start();
    await vi.waitFor(async () => expect(await readiness()).toBe(200), patience);
    await untilSettled(agent);
    const [id] = begun;
    expect((await asked(agent, "GetTask", { id: id! })).status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: expect.stringContaining("The store became unavailable") }] },
    });
    expect((await asked(agent, "GetTask", { id: done!.id })).status.state).toBe("TASK_STATE_COMPLETED");
    const { task } = await asked(agent, "SendMessage", message("done", { taskId: waiting!.id }));
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    await vi.waitFor(() => expect(served.errors()).toContain("The store is available again"), patience);
    expect(served.errors().trim().split("\n")).toEqual([
      expect.stringMatching(
        /^assay serve: The store is unavailable: Cannot reach postgres:\/\/assay@127\.0\.0\.1:\d+\/test_\d+: /,
      ),
      expect.stringMatching(/^assay serve: The store is available again after \d+ s\.$/),
    ]);
  });

  test("a database crash under load loses no acknowledged data", async () => {
    const served = await serveOn(await postgres.newDatabase(), ...flags);
    onTestFinished(() => served.kill());
    const agent = `${served.url}/full`;
    const random = randomFrom(11);
    const witness = new Witness();
    const isEnough = new AbortController();
    const trouble: unknown[] = [];
    const working = (async () => {
      while (!isEnough.signal.aborted) trouble.push(...(await loadOn(agent, 4, random, witness, isEnough.signal)));
    })();
    for (let round = 1; round <= restarts; round++) {
      const enough = witness.tasks.length + 5 + Math.floor(random() * 10);
      await vi.waitFor(() => expect(witness.tasks.length).toBeGreaterThanOrEqual(enough), patience);
      await postgres.restart();
      await vi.waitFor(async () => expect((await fetch(`${served.url}/ready`)).status).toBe(200), patience);
    }
    isEnough.abort();
    await working;
    await cancelOpen(agent);
    await untilSettled(agent);
    expect(await complaintsOf(agent, witness)).toEqual([]);
    const listed = await allListed(agent);
    expect([new Set(listed).size, witness.tasks.filter((id) => !listed.includes(id))]).toEqual([listed.length, []]);
    // A task that the outage stopped has failed: its stream ends, and it accepts no more messages.
    const isOfTheStore = /store|terminated|has already ended/;
    const other = trouble.map((error) => (error as Error).message).filter((text) => !isOfTheStore.test(text));
    expect(other).toEqual([]);
    expect(served.errors()).not.toMatch(/^(?!assay serve: The store )./m);
  });
});

/** Follows a stream to its end. Returns what it threw, if anything. */
async function follow(events: AsyncIterable<StreamResponse>, begun: string[]): Promise<unknown> {
  try {
    for await (const { task } of events) if (task) begun.push(task.id);
    return "the stream ended as if all were told";
  } catch (error) {
    return error;
  }
}
