import type { FleetVerdict } from "@assay/fleet";
import { expect, test } from "vitest";
import { paperScreen } from "../screen.fixture.ts";
import { classCounts, createSweepView } from "./sweep-view.ts";

const verdict = (agent: string, named: FleetVerdict["class"], more: Partial<FleetVerdict> = {}): FleetVerdict => ({
  ...{ sweep: "s", agent, url: "https://a.example", labels: [], class: named, attempts: 1, duration_ms: 1 },
  ...{ reason: { code: "c", message: "What was seen.", remedy: "r" }, at: "2026-11-16T08:00:00.000Z", worker: "w" },
  ...more,
});

test("for a log: a line for each agent, whatever it is called", () => {
  const screen = paperScreen({ isTerminal: false });
  const view = createSweepView(screen);
  view.settled(verdict("maps", "login-required"));
  view.settled(verdict("bad\u001b[31mname\n::error::", "working", { unchanged: true }));
  view.progress({ agents: 3, settled: 2 });
  view.end();
  expect(screen.out().split("\n")).toEqual([
    "login-required      maps  What was seen.",
    expect.stringMatching(/^working {13}bad.*name.*error.*unchanged: What was seen\.$/),
    "",
  ]);
  expect(screen.out()).not.toContain("\u001b");
});

test("for a person: how far it is, how long it takes, and the classes so far", () => {
  const screen = paperScreen();
  const view = createSweepView(screen);
  view.settled(verdict("maps", "working"));
  view.progress({ agents: 300, settled: 120, perMinute: 240, left: 45_000 });
  expect(screen.out()).toContain("120 of 300 agents, 240 a minute, about 45 s left");
  expect(screen.out()).toContain("working 1");
});

test("nothing is said to a machine", () => {
  const screen = paperScreen();
  const view = createSweepView(screen, true);
  view.settled(verdict("maps", "working"));
  view.end();
  expect([screen.out(), screen.err()]).toEqual(["", ""]);
});

test("classes stand in the order of a league", () => {
  const all = (["unreachable", "working", "rules-broken", "working"] as const).map((named) => verdict("a", named));
  expect(classCounts(all)).toBe("working 2, rules-broken 1, unreachable 1");
});
