import type { RunEnding, RunEvent } from "@assay/suite/report";
import { expect, test } from "vitest";
import { clientPlanOf, clientPlanPage } from "./client-plan.ts";

const on = { url: "http://127.0.0.1:1/", dialect: "1.0", binding: "JSONRPC" };

const situation = (name: string, ended: string, accepted: number): RunEvent =>
  ({ event: "situation-finished", situation: name, interface: on, ended, requests: 1, accepted, runs: [] }) as RunEvent;

/** The events of a client run in 1.0 without a broken rule. */
const run = (ending: RunEnding, ...situations: readonly RunEvent[]): RunEvent[] =>
  [
    {
      event: "run-started",
      subject: "client",
      run: "r",
      at: "2026-01-01T00:00:00Z",
      tool: { name: "assay", version: "1" },
      ruleSet: "1.0.1-r1",
      agentUrl: "node client.js",
      depth: "full",
      strict: false,
    },
    ...situations,
    { event: "run-finished", at: "2026-01-01T00:00:01Z", ending, duration_ms: 1, workingMessages: 0 },
  ] as RunEvent[];

test("a client is ready if it completed every situation of 1.0 that it did not decline", () => {
  const plan = clientPlanOf(run("done", situation("send", "done", 1), situation("stream", "declined", 0)));
  expect(plan).toMatchObject({ isReady: true, incomplete: [] });
});

test.each([
  ["an interrupted run", run("interrupted", situation("send", "done", 1)), "The run did not complete."],
  [
    "a situation without an end",
    run("done", situation("send", "done", 1), situation("stream", "time-over", 1)),
    "stream: the command did not end in time",
  ],
  [
    "a message that no agent accepted",
    run("done", situation("send", "done", 0), situation("get", "done", 1)),
    "send: no agent of 1.0 accepted the message",
  ],
])("a client is not ready after %s", (_, events, because) => {
  const plan = clientPlanOf(events);
  expect(plan).toMatchObject({ isReady: false, incomplete: [because] });
  const page = clientPlanPage(plan, false);
  expect(page.title).toContain("not ready");
  expect(JSON.stringify(page.blocks)).toContain(because);
});
