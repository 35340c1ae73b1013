import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// Loading the suite takes seconds on a busy machine, and the task of the push test ends after three.
import "@assay/suite";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.05 });
});
afterAll(() => bed.close(0));

async function assay(command: string, path: string, ...args: string[]) {
  const screen = paperScreen();
  const code = await run([command, `${bed.url}/${path}`, ...args], screen);
  return { code, out: screen.out(), err: screen.err() };
}

/** A task that the agent has begun, and its id. */
async function begun(text: string, ...flags: string[]): Promise<string> {
  const { out } = await assay("send", "spec", text, "--json", ...flags);
  return (JSON.parse(out) as { task: { id: string } }).task.id;
}

describe.each(["JSONRPC", "HTTP+JSON", "GRPC"])("over %s", (binding) => {
  test("a task is shown, cancelled and watched", async () => {
    const id = await begun("slow 60", "--return-immediately");
    expect(await assay("get", "spec", id, "--binding", binding)).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`GetTask.*${id}[^]*task +working`)),
    });
    const watching = assay("subscribe", "spec", id, "--binding", binding);
    // Whoever subscribes is answered with the task as it is; cancelling does not wait for that.
    expect(await assay("cancel", "spec", id, "--binding", binding)).toMatchObject({
      code: 0,
      out: expect.stringContaining("canceled"),
    });
    expect((await watching).out).toMatch(/SubscribeToTask/);
    expect(await assay("cancel", "spec", id, "--binding", binding)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/-32002|TASK_NOT_CANCELABLE|FAILED_PRECONDITION/),
    });
  });
});

test("a subscription is followed to the end of its task", async () => {
  const id = await begun("slow 10", "--return-immediately");
  const { code, out } = await assay("subscribe", "spec", id);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("stream closed by the server") });
  expect(out).toContain("completed");
});

test("tasks are listed page by page, or all of them, for people and for programs", async () => {
  const contexts = new Set<string>();
  for (const text of ["task-lifecycle a", "task-lifecycle b", "task-lifecycle c"])
    contexts.add(await begun(text, "--context", "listed-here"));
  const page = ["--context", "listed-here", "--page-size", "2"];
  const first = await assay("list", "spec", ...page);
  expect(first.out).toMatch(/2 tasks on this page, 3 in all; next page: --page-token \S+/);
  const all = await assay("list", "spec", ...page, "--all");
  for (const id of contexts) expect(all.out).toContain(id);
  expect(all.out).toMatch(/1 task on this page, 3 in all\n$/);
  const lines = (await assay("list", "spec", ...page, "--all", "--json")).out.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { tasks: unknown[] }).tasks.length)).toEqual([2, 1]);
  expect((await assay("list", "spec", "--context", "listed-here", "--status", "working")).out).toContain("0 tasks");
});

test("files and data go along with the text, in order", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "assay-send-")), "note.txt");
  writeFileSync(file, "hello");
  const { code, out } = await assay("send", "echo", "look", "--file", file, "--data", '{"a":1}');
  expect(code).toBe(0);
  expect(out).toContain('"look", file note.txt (text/plain), 5 bytes, data {"a":1}');
});

test("a message may be given whole", async () => {
  const message = JSON.stringify({ parts: [{ text: "whole" }] });
  expect(await assay("send", "echo", "--json-message", message)).toMatchObject({
    code: 0,
    out: expect.stringContaining("Echo: whole"),
  });
});

test.each([
  [[], "Nothing to send"],
  [["--data", "{"], "--data: invalid JSON"],
  [["--file", "nowhere.bin"], "--file: cannot read nowhere.bin"],
  [["text", "--json-message", "{}"], "--json-message is the complete message"],
  [["--json-message", "[]"], "must be an object"],
])("wrong usage: %j", async (args, says) => {
  expect(await assay("send", "echo", ...args)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
});

test("an unknown task is the agent's answer", async () => {
  expect(await assay("get", "spec", "nope")).toMatchObject({ code: 1, out: expect.stringContaining("-32001") });
});

describe("assay push", () => {
  test("shows what arrives until the task has ended", async () => {
    const { out: sent } = await assay("send", "full", "slow 60", "--json", "--return-immediately");
    const { id } = (JSON.parse(sent) as { task: { id: string } }).task;
    const { code, out } = await pushed("create", id);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("the task has ended") });
    expect(out).toMatch(/status +completed/);
  });

  test("sets, reads, lists and deletes a configuration", async () => {
    const { out: sent } = await assay("send", "full", "slow 60", "--json", "--return-immediately");
    const { id } = (JSON.parse(sent) as { task: { id: string } }).task;
    const to = ["--to", "http://127.0.0.1:9/hook", "--id", "mine"];
    expect(await pushed("create", id, ...to)).toMatchObject({ code: 0, out: expect.stringContaining("mine") });
    expect(await pushed("get", id, "mine")).toMatchObject({
      code: 0,
      out: expect.stringContaining("127.0.0.1:9/hook"),
    });
    expect(await pushed("list", id)).toMatchObject({ code: 0, out: expect.stringContaining("1 configuration") });
    expect(await pushed("delete", id, "mine")).toMatchObject({ code: 0, out: expect.stringContaining("deleted") });
    expect(await pushed("list", id)).toMatchObject({ code: 0, out: expect.stringContaining("0 configurations") });
  });
});

async function pushed(what: string, task: string, ...args: string[]) {
  const screen = paperScreen();
  const code = await run(["push", what, `${bed.url}/full`, task, ...args], screen);
  return { code, out: screen.out() };
}
