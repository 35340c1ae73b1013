import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Task } from "@assay/protocol";
import { randomFrom } from "@assay/protocol";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { asked, message, streamed } from "./asking.fixture.ts";
import { allListed, complaintsOf, untilSettled } from "./finding.fixture.ts";
import { loadOn } from "./load.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";
import { serveOn } from "./served.fixture.ts";
import { type Found, Witness } from "./witness.fixture.ts";

/**
 * Kills a server at random moments under load, restarts it, and expects all acknowledged data. `npm run prove -- crash`
 * does this fifty times on each store, `npm test` once in SQLite. ASSAY_SEED selects the moments.
 */
const seed = Number(process.env["ASSAY_SEED"] ?? 1);
const kills = Number(process.env["ASSAY_KILLS"] ?? (provesAll ? 50 : 1));
/** A short lease, so that the tasks of a dead server end soon. */
const flags = ["--lease", "1", "--time-scale", "0.05"];
const patience = { timeout: 250_000, interval: 5 };

const folder = mkdtempSync(join(tmpdir(), "assay-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores = [
  { name: "SQLite", isTried: true },
  { name: "PostgreSQL", isTried: hasPostgres && provesAll },
];

describe.each(stores.filter(({ isTried }) => isTried))("in $name", ({ name }) => {
  let postgres: PostgresServer | undefined;
  afterAll(() => postgres?.close());

  test("a killed server loses nothing that it acknowledged", { timeout: (5 + kills) * 60_000 }, async () => {
    if (name === "SQLite") return survives(`sqlite:${join(folder, "tasks.db")}`);
    postgres = await startPostgres("durable");
    return survives(await postgres.newDatabase());
  });
});

async function survives(store: string): Promise<void> {
  const random = randomFrom(seed);
  const everybody = new Witness();
  let served = await serveOn(store, ...flags);
  onTestFinished(() => served.kill());
  for (let round = 1; round <= kills; round++) {
    const witness = new Witness();
    const before = `${served.url}/full`;
    const working = loadOn(before, 6, random, witness);
    // Count acknowledged changes, not time, because a busy machine makes fewer in the same time.
    const enough = 5 + Math.floor(random() * 20);
    await vi.waitFor(() => expect(witness.tasks.length).toBeGreaterThanOrEqual(enough), patience);
    const { nextPageToken } = await asked(before, "ListTasks", { pageSize: 1 });
    await pause(random() * 100);
    await served.kill();
    await working;
    served = await serveOn(store, ...flags);
    const agent = `${served.url}/full`;
    await untilSettled(agent);
    const complaints = await complaintsOf(agent, witness);
    expect(complaints, `kill ${round} of seed ${seed}`).toEqual([]);
    for (const id of witness.tasks) everybody.of(id);
    // A page token from before the crash still works.
    if (nextPageToken) await asked(agent, "ListTasks", { pageSize: 1, pageToken: nextPageToken });
    await comesBack(agent, witness);
  }
  const listed = await allListed(`${served.url}/full`);
  expect(new Set(listed).size, "a task is listed twice").toBe(listed.length);
  expect(everybody.tasks.filter((id) => !listed.includes(id))).toEqual([]);
  const { totalSize } = await asked(`${served.url}/full`, "ListTasks", {
    statusTimestampAfter: "2020-01-01T00:00:00Z",
  });
  expect(totalSize, "the counts of time spans").toBe(listed.length);
  expect(served.errors()).toBe("");
}

/** Subscribes to the task of a lost stream again, and sees it continue. */
async function comesBack(agent: string, witness: Witness): Promise<void> {
  for (const id of witness.tasks) {
    const { status } = await asked(agent, "GetTask", { id });
    if (status.state !== "TASK_STATE_INPUT_REQUIRED") continue;
    const seen: (Task["status"]["state"] | undefined)[] = [];
    let answered: Promise<unknown> | undefined;
    for await (const { task, statusUpdate } of streamed(agent, "SubscribeToTask", { id })) {
      seen.push(task?.status.state ?? statusUpdate?.status.state);
      answered ??= asked(agent, "SendMessage", message("done", { taskId: id }));
    }
    await answered;
    expect([seen.at(0), seen.at(-1)]).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"]);
    return;
  }
}

describe("the witness", () => {
  const told = new Witness();
  told.of("t").chunks.push("1 ", "2 ");
  told.of("t").messages.push("m");
  told.of("t").webhooks.push("w");
  const task = (chunks: readonly string[], more: Partial<Task> = {}): Task => ({
    id: "t",
    status: { state: "TASK_STATE_INPUT_REQUIRED" },
    history: [{ messageId: "m", role: "ROLE_USER", parts: [] }],
    artifacts: [{ artifactId: "a", parts: chunks.map((text) => ({ text })) }],
    ...more,
  });
  const webhooks = [{ id: "w", url: "http://127.0.0.1:9/" }];
  const whole: Found = { task: task(["1 ", "2 ", "3 "]), webhooks };

  test.each<[string, Found | undefined, boolean]>([
    ["all that was told, and more", whole, true],
    ["no task", undefined, false],
    ["a chunk less", { ...whole, task: task(["1 "]) }, false],
    ["a chunk twice", { ...whole, task: task(["1 ", "2 ", "2 "]) }, false],
    ["chunks in another order", { ...whole, task: task(["2 ", "1 "]) }, false],
    ["no message", { ...whole, task: task(["1 ", "2 "], { history: [] }) }, false],
    ["no webhook", { ...whole, webhooks: [] }, false],
    [
      "a task that is at work",
      { ...whole, task: task(["1 ", "2 "], { status: { state: "TASK_STATE_WORKING" } }) },
      false,
    ],
    [
      "a task that failed without a word",
      { ...whole, task: task(["1 ", "2 "], { status: { state: "TASK_STATE_FAILED" } }) },
      false,
    ],
  ])("judges %s", (_what, found, isFine) => {
    expect(told.complaints("t", found).length === 0).toBe(isFine);
  });
});
