import type { HarEntry } from "@assay/wire";
import { expect, test } from "vitest";
import { differencesBetween } from "./facts.ts";

/** An answer with this body; JSON unless told otherwise. */
const answer = (body: unknown, { status = 200, type = "application/json", error = "" } = {}): HarEntry => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    request: { method: "POST", url: "http://127.0.0.1/" },
    response: {
      status,
      headers: [],
      content: { size: text.length, mimeType: type, text },
      ...(error && { _error: error }),
    },
  } as unknown as HarEntry;
};
const task = (state: string, id: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  result: { task: { id, status: { state, timestamp: new Date().toISOString() }, ...more } },
});

test("ids, times, texts and the length of lists are no difference", () => {
  const artifacts = [{ parts: [{ text: "a" }] }];
  expect(
    differencesBetween(
      answer(task("TASK_STATE_COMPLETED", "a", { artifacts })),
      answer(task("TASK_STATE_COMPLETED", "b", { artifacts: [...artifacts, { parts: [{ text: "b" }] }] })),
    ),
  ).toEqual([]);
});

test.each([
  [task("TASK_STATE_COMPLETED", "a"), task("TASK_STATE_FAILED", "a"), ["result.task.status.state"]],
  [{ error: { code: -32001 } }, { error: { code: -32603 } }, ["error.code"]],
  [
    task("TASK_STATE_COMPLETED", "a"),
    { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no" } },
    ["result.task.status.state", "error.code", "result", "error"],
  ],
])("%j and %j differ", (then, now, places) => {
  expect(differencesBetween(answer(then), answer(now)).map(({ at }) => at)).toEqual(places);
});

test("so do the status and the type", () => {
  const differences = differencesBetween(answer({}), answer("<html>", { status: 502, type: "text/html" }));
  expect(differences).toEqual([
    { at: "HTTP status", recorded: "200", now: "502" },
    { at: "content type", recorded: "application/json", now: "text/html" },
    { at: "body", recorded: undefined, now: "no JSON" },
  ]);
});

const stream = (states: readonly string[], error = ""): HarEntry => {
  const events = states.map((state) => `data: ${JSON.stringify({ statusUpdate: { status: { state } } })}\n\n`);
  return answer(events.join(""), { type: "text/event-stream", error });
};

test("of a stream the order of what it told counts, and not in how many events", () => {
  expect(differencesBetween(stream(["working", "working", "done"]), stream(["working", "done"]))).toEqual([]);
  expect(differencesBetween(stream(["working", "done"]), stream(["done", "working"]))).toEqual([
    {
      at: "events",
      recorded: "statusUpdate working, statusUpdate done",
      now: "statusUpdate done, statusUpdate working",
    },
  ]);
});

test("one that we ended is compared as far as it went", () => {
  expect(differencesBetween(stream(["working"], "aborted: we ended it"), stream(["working", "working"]))).toEqual([]);
});
