import { expect, test } from "vitest";
import { foldRun } from "./fold.ts";
import { unexaminedOf, warningsOf, whereOf } from "./group.ts";
import type { ConformanceResult } from "./result.ts";
import { grpc, jsonrpc, rest, result, runOf } from "./run.case.ts";

const report = (results: readonly ConformanceResult[]) => foldRun(runOf(results));

test("warnings are grouped by rule and kind of breach, never by what they say", () => {
  const results = [
    result("CACHE-001", { warning: "no Cache-Control" }),
    result("ERR-001", { warning: "no details", interface: jsonrpc }),
    result("ERR-001", { warning: "not a detail", interface: grpc }),
    result("ERR-001", { warning: "no details", interface: rest, code: "untyped-details" }),
  ];
  expect(warningsOf(report(results)).map(({ message, where }) => [message, where])).toEqual([
    ["no Cache-Control", "card"],
    ["no details", "JSON-RPC, gRPC"],
    ["no details", "HTTP+JSON"],
  ]);
});

test("every rule that was not examined is counted once, with what would change it", () => {
  const open = (id: string, about: Partial<ConformanceResult>) => result(id, { verdict: "not-examined", ...about });
  const results = [
    open("CTX-001", { unexamined: "depth", enable: "--depth full", interface: jsonrpc }),
    open("CTX-001", { unexamined: "budget", enable: "--budget 20", interface: grpc }),
    open("CTX-002", { unexamined: "depth", enable: "--depth full" }),
    open("CTX-003", { unexamined: "not-triggered", interface: jsonrpc }),
    result("CTX-003", { interface: grpc }),
    open("CTX-004", { unexamined: "unstable" }),
  ];
  expect(unexaminedOf(report(results))).toEqual([
    { reason: "depth", rules: 2, enable: "--depth full" },
    { reason: "unstable", rules: 1 },
  ]);
});

test("an interface is named by its binding, and by its version where that is not 1.0", () => {
  const older = result("A-1", { dialect: "0.3", interface: { ...jsonrpc, dialect: "0.3" } });
  const strange = result("A-1", { interface: { ...jsonrpc, binding: "CARRIER-PIGEON" } });
  expect([older, strange, result("A-1", { interface: grpc }), result("A-1")].map(whereOf)).toEqual([
    "JSON-RPC 0.3",
    "CARRIER-PIGEON",
    "gRPC",
    "card",
  ]);
});
