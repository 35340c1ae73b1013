import type { ConformanceReport, ConformanceResult } from "@assay/suite/report";
import { expect, test } from "vitest";
import type { PassedCall } from "../sight.ts";
import type { CommonGround } from "./common-ground.ts";
import type { InteropDirection } from "./interop.ts";
import { understanding } from "./understanding.ts";

const ground: CommonGround = {
  rows: [],
  interfaces: [],
  obstacles: { "a-to-b": [], "b-to-a": [] },
  needs: { "a-to-b": [], "b-to-a": [] },
};

const broken = (party: "client" | undefined) =>
  ({ test: "X-1", message: "it is wrong", verdict: "fail", ...(party && { party }) }) as ConformanceResult;

/** A direction in which one message was answered, and these rules were broken. */
const way = (results: readonly ConformanceResult[], more: Partial<InteropDirection> = {}): InteropDirection => ({
  direction: "a-to-b",
  from: "One",
  to: "Other",
  exchanged: [{ how: "one after the other", sent: 1, answered: 1, because: [] }],
  calls: [{ over: { binding: "JSONRPC", dialect: "1.0" } } as PassedCall],
  events: [],
  report: { categories: { interop: results } } as unknown as ConformanceReport,
  ...more,
});

test.each([
  ["nothing", [], "yes", "they spoke 1.0 over JSONRPC"],
  ["the client", [broken("client")], "no", "One: it is wrong (X-1)"],
  ["the agent", [broken(undefined)], "no", "Other: it is wrong (X-1)"],
] as const)("%s is at fault", (_, results, is, because) => {
  expect(understanding(way(results), ground)).toEqual({ direction: "a-to-b", is, because: [because] });
});

test.each([
  ["nothing", [], "yes", "they spoke 1.0 over JSONRPC"],
  // The agent that it stands in for has not done it.
  ["the client", [broken("client")], "unknown", "SDK 1.0: it is wrong (X-1)"],
  ["the agent", [broken(undefined)], "no", "Other: it is wrong (X-1)"],
] as const)("%s is at fault, and the client stands in for an agent", (_, results, is, because) => {
  const standIn = "SDK 1.0";
  expect(understanding(way(results, { standIn }), ground)).toEqual({
    direction: "a-to-b",
    standIn,
    is,
    because: [because],
  });
});

test("a client that stands in shows nothing about obstacles on the cards", () => {
  const obstacles = { "a-to-b": ["no common version"], "b-to-a": [] };
  const judged = understanding(way([], { standIn: "SDK 1.0" }), { ...ground, obstacles });
  expect([judged.is, judged.because]).toEqual(["no", ["no common version"]]);
});
