import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { StreamResponse, Task } from "@assay/protocol";
import { randomFrom } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { GrpcPeer } from "../fixtures/grpc.fixture.ts";
import { asked, message, streamed } from "./asking.fixture.ts";
import { complaintsOf, untilSettled } from "./finding.fixture.ts";
import { loadOn } from "./load.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";
import { refusedOnEveryWire, unavailableOnEveryWire } from "./refused-wires.fixture.ts";
import { serveOn } from "./served.fixture.ts";
import { hasSmallDisk, type SmallDisk, smallDisk } from "./small-disk.fixture.ts";
import { Witness } from "./witness.fixture.ts";

const isMountable = hasSmallDisk();
/** Slow, because SQLite frees space only when it restarts its journal, which happens at 4 MB. */
const endless = "chunks 5000 10 2000";
const patience = { timeout: 250_000, interval: 100 };

describe.runIf(isMountable)("the disk of SQLite", () => {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = smallDisk(8);
  });
  afterAll(() => disk?.close());

  test("a full disk returns unavailable on every binding, leaves no client waiting and loses no acknowledged data", async () => {
    const store = `sqlite:${join(disk.folder, "tasks.db")}`;
    const served = await serveOn(store, "--lease", "1", "--time-scale", "0.2");
    onTestFinished(() => served.kill());
    const agent = `${served.url}/full`;
    const readiness = async () => (await fetch(`${served.url}/ready`)).status;
    const kept: Task[] = [];
    for (const text of ["task-lifecycle", "chunks 3 10", "multi-turn start"])
      kept.push((await asked(agent, "SendMessage", message(text))).task!);
    const waiting = kept.at(-1);
    const found = () => Promise.all(kept.map(({ id }) => asked(agent, "GetTask", { id })));
    const peer = new GrpcPeer(new URL(served.url).host, grpcV10);
    onTestFinished(() => peer.close());

    // Call gRPC once, because the server loads it with the first call.
    await peer.ask("ListTasks", { tenant: "full" });
    const begun: string[] = [];
    const overSse = follow(streamed(agent, "SendStreamingMessage", message(endless)), begun);
    const overGrpc = follow(peer.open("SendStreamingMessage", { tenant: "full", ...message(endless) }), begun);
    const blocking = asked(agent, "SendMessage", message(endless)).catch((error: Error) => error.message);
    await vi.waitFor(() => expect(begun).toHaveLength(2), patience);
    disk.fill();

    // No client waits any more.
    expect(await overSse).toBeInstanceOf(Error);
    expect(await overGrpc).toMatchObject({ details: expect.stringContaining("store") });
    expect(await blocking).toContain("store");
    await vi.waitFor(async () => expect(await readiness()).toBe(503), patience);
    expect(await refusedOnEveryWire(served.url)).toEqual(unavailableOnEveryWire);
    await expect(asked(agent, "SendMessage", message("done", { taskId: waiting!.id }))).rejects.toThrow("store");
    await expect(collected(streamed(agent, "SubscribeToTask", { id: begun[0] }))).rejects.toThrow("store");
    // Stored tasks are still readable.
    expect(await found()).toEqual(kept);

    disk.free();
    await vi.waitFor(async () => expect(await readiness()).toBe(200), patience);
    const ended = async (id: string): Promise<Task["status"]> => (await asked(agent, "GetTask", { id })).status;
    for (const id of begun)
      await vi.waitFor(
        async () =>
          expect(await ended(id)).toMatchObject({
            state: "TASK_STATE_FAILED",
            message: { parts: [{ text: expect.stringContaining("The store became unavailable") }] },
          }),
        patience,
      );
    expect(await found()).toEqual(kept);
    const { task } = await asked(agent, "SendMessage", message("done", { taskId: waiting!.id }));
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");

    // The server logs the outage once, and its end once.
    await vi.waitFor(() => expect(served.errors()).toContain("The store is available again"), patience);
    expect(served.errors().trim().split("\n")).toEqual([
      expect.stringMatching(/^assay serve: The store is unavailable: .*SQLITE_FULL/),
      expect.stringMatching(/^assay serve: The store is available again after \d+ s\.$/),
    ]);
    await served.stop();
    expect(readdirSync(disk.folder).filter((name) => name.endsWith("-wal"))).toEqual([]);
  });

  test("a full disk stops the start of a server, with the reason", async () => {
    disk.fill();
    onTestFinished(() => disk.free());
    const refused = await serveOn(`sqlite:${join(disk.folder, "new.db")}`).catch((error: Error) => error.message);
    expect(refused).toMatch(/--store: .*new\.db.*(full|no space)/i);
  });
});

describe.runIf(hasPostgres && isMountable)("the disk of PostgreSQL", () => {
  let postgres: PostgresServer | undefined;
  let disk: SmallDisk | undefined;
  afterAll(async () => {
    await postgres?.close();
    disk?.close();
  });

  test("a full disk returns unavailable and loses no acknowledged data", async () => {
    disk = smallDisk(24);
    postgres = await startPostgres("durable");
    const served = await serveOn(await postgres.newDatabase(disk.folder), "--lease", "1", "--time-scale", "0.05");
    onTestFinished(() => served.kill());
    const agent = `${served.url}/full`;
    const witness = new Witness();
    expect(await loadOn(agent, 3, randomFrom(5), witness, AbortSignal.timeout(1_000))).toEqual([]);
    const { task: waiting } = await asked(agent, "SendMessage", message("multi-turn start"));

    disk.fill();
    // PostgreSQL still accepts data that fits into existing pages. Such data must survive.
    const trouble = await Promise.all(Array.from({ length: 4 }, () => loadOn(agent, 1, randomFrom(6), witness)));
    for (const error of trouble.flat()) expect((error as Error).message).toMatch(/store|terminated/);

    disk.free();
    await untilSettled(agent);
    expect(await complaintsOf(agent, witness)).toEqual([]);
    const { task } = await asked(agent, "SendMessage", message("done", { taskId: waiting!.id }));
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    await vi.waitFor(() => expect(served.errors()).toContain("The store is available again"), patience);
    expect(served.errors().trim().split("\n")).toEqual([
      expect.stringMatching(/^assay serve: The store is unavailable: .*No space left on device/),
      expect.stringMatching(/^assay serve: The store is available again after \d+ s\.$/),
    ]);
  });
});

/** Follows a stream to its end. Returns what it threw, if anything. */
async function follow(events: AsyncIterable<object>, begun: string[]): Promise<unknown> {
  try {
    for await (const event of events) {
      const { task } = event as StreamResponse;
      if (task) begun.push(task.id);
    }
    return "the stream ended as if all were told";
  } catch (error) {
    return error;
  }
}

async function collected(events: AsyncIterable<StreamResponse>): Promise<void> {
  for await (const _event of events);
}
