import { expect, test } from "vitest";
import type { WatchEvent } from "../../documents/watch.ts";
import { isShown, noTraffic, partyStanding, seen } from "./traffic.ts";

const begun = (id: string): WatchEvent => ({ is: "begun", id, at: 1, method: "POST", path: "/rpc" });
const call = (id: string, more: object = {}): WatchEvent => ({
  is: "call",
  id,
  at: 9,
  asked: "SendMessage",
  over: { binding: "JSONRPC", dialect: "1.0" },
  answer: "message",
  tookMs: 8,
  bytes: 10,
  breaches: [],
  ...more,
});
const breach = (party: "client" | "agent", severity: "fail" | "warning") => ({
  party,
  severity,
  rule: "R",
  message: "m",
});

test("a call stands where it began, and is open until it is over", () => {
  const open = seen(noTraffic, [begun("x1"), begun("x2")]);
  const half = seen(open, [call("x2")]);
  expect(half.rows.map((row) => row.is === "call" && [row.id, row.call?.answer])).toEqual([
    ["x1", undefined],
    ["x2", "message"],
  ]);
  expect([open.open, half.open, half.calls]).toEqual([2, 1, 1]);
});

test("each party stands for itself, and what was not judged is not green", () => {
  const rows = seen(noTraffic, [
    call("x1", { breaches: [breach("client", "fail"), breach("agent", "warning")] }),
    call("x2", { unjudged: "the response does not come from the agent" }),
    call("x3", { over: undefined }),
    call("x4"),
    begun("x5"),
    call("x6", { faults: ["cut=3"], unjudged: "fault: cut=3" }),
  ]).rows;
  const standings = rows.map((row) => row.is === "call" && [partyStanding(row, "client"), partyStanding(row, "agent")]);
  expect(standings).toEqual([
    ["broken", "warned"],
    ["kept", "unjudged"],
    ["unjudged", "unjudged"],
    ["kept", "kept"],
    ["open", "open"],
    ["unjudged", "unjudged"],
  ]);
  expect(rows.map((row) => isShown(row, "client"))).toEqual([true, false, false, false, false, false]);
});

test("failures are counted by whose they are", () => {
  const { client, agent } = seen(noTraffic, [
    call("x1", { breaches: [breach("client", "fail"), breach("agent", "warning"), breach("agent", "fail")] }),
  ]);
  expect([client, agent]).toEqual([1, 1]);
});
