import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Testbed } from "../testbed/options.ts";
import { startTestbed } from "../testbed/testbed.ts";
import { readExposition } from "./exposition.fixture.ts";

let bed: Testbed;
let office: string;
beforeEach(async () => {
  const address = `sqlite:${join(mkdtempSync(join(tmpdir(), "assay-operations-")), "tasks.db")}`;
  bed = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "test",
    timeScale: 0,
    store: { address },
    operations: { host: "127.0.0.1", port: 0 },
  });
  office = bed.operationsUrl!;
});
afterEach(() => bed.close(0));

const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

test("only the operations port serves metrics", async () => {
  expect(await statusOf(`${office}/metrics`)).toBe(200);
  expect(await statusOf(`${bed.url}/metrics`)).toBe(404);
  for (const path of ["/health", "/ready"])
    expect([await statusOf(office + path), await statusOf(bed.url + path)]).toEqual([200, 200]);
});

test("that port has nothing of the agents, and takes no other method", async () => {
  expect(await statusOf(`${office}/spec`)).toBe(404);
  expect(await statusOf(`${office}/.well-known/agent-card.json`)).toBe(404);
  expect((await fetch(`${office}/metrics`, { method: "POST" })).status).toBe(405);
});

test("tasks, requests, cards and what the database took are counted", async () => {
  await bed.perform("spec", "SendMessage", {
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "task-lifecycle hi" }] },
  });
  await (await fetch(`${bed.url}/spec/tasks/nope`, { headers: { "A2A-Version": "1.0" } })).text();
  await (await fetch(`${bed.url}/spec/.well-known/agent-card.json`)).text();
  const families = readExposition(await (await fetch(`${office}/metrics`)).text());
  const samples = (name: string) => families.get(name)!.samples;
  expect(samples("assay_tasks").get("assay_tasks{}")).toBe(1);
  expect(samples("assay_tasks_by_state").get('assay_tasks_by_state{state="TASK_STATE_COMPLETED"}')).toBe(1);
  const requests = samples("assay_requests_total");
  const asked = 'agent="spec",binding="HTTP+JSON",operation="GetTask",outcome="TaskNotFound"';
  expect(requests.get(`assay_requests_total{${asked}}`)).toBe(1);
  const card = 'agent="spec",binding="HTTP",operation="card",outcome="ok"';
  expect(requests.get(`assay_requests_total{${card}}`)).toBe(1);
  expect(samples("assay_store_duration_seconds").get('assay_store_duration_seconds_count{operation="create"}')).toBe(1);
});

test("a server that retires is alive and not ready, and goes on serving", async () => {
  bed.retire();
  expect([await statusOf(`${office}/health`), await statusOf(`${office}/ready`)]).toEqual([200, 503]);
  const answer = await fetch(`${bed.url}/spec/.well-known/agent-card.json`);
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
});
