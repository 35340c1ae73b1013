import { expect, test } from "vitest";
import { foldRun } from "./fold.ts";
import { failuresOf, unexaminedOf, warningsOf, whereOf } from "./group.ts";
import type { ConformanceResult } from "./result.ts";
import { grpc, jsonrpc, rest, result, runOf } from "./run.case.ts";

const report = (results: readonly ConformanceResult[]) => foldRun(runOf(results));
const fails = (id: string, about: Partial<ConformanceResult>) => result(id, { verdict: "fail", ...about });
const blocked = (id: string, about: Partial<ConformanceResult>) => result(id, { verdict: "blocked", ...about });

test("the same thing seen on two interfaces is said once, with both", () => {
  const results = [
    fails("LIST-003", { interface: rest, message: "no nextPageToken" }),
    fails("LIST-003", { interface: jsonrpc, message: "no nextPageToken" }),
    fails("LIST-003", { interface: grpc, message: "the call failed" }),
  ];
  expect(failuresOf(report(results)).map(({ message, where }) => [message, where])).toEqual([
    ["no nextPageToken", "JSON-RPC, HTTP+JSON"],
    ["the call failed", "gRPC"],
  ]);
});

test("what holds others up comes first, then what concerns most interfaces, then as the rules stand", () => {
  const results = [
    fails("AUTH-001", { interface: jsonrpc }),
    fails("ERR-001", { interface: jsonrpc }),
    fails("ERR-001", { interface: rest }),
    fails("LIST-003", { interface: rest }),
    blocked("LIST-004", { rootCause: "LIST-003", interface: rest }),
  ];
  expect(failuresOf(report(results)).map(({ test: id, blocks }) => [id, blocks])).toEqual([
    ["LIST-003", 1],
    ["ERR-001", 0],
    ["AUTH-001", 0],
  ]);
});

test("what a rule holds up on one interface is not counted for its failure on another", () => {
  const results = [
    fails("GET-002", { interface: jsonrpc, message: "-32603" }),
    fails("GET-002", { interface: grpc, message: "UNKNOWN" }),
    blocked("GET-003", { rootCause: "GET-002", interface: grpc }),
    blocked("GET-004", { rootCause: "GET-002", interface: grpc }),
  ];
  expect(failuresOf(report(results)).map(({ message, blocks }) => [message, blocks])).toEqual([
    ["UNKNOWN", 2],
    ["-32603", 0],
  ]);
});

test("failures that a baseline expects are nothing to fix first; contested ones are shown", () => {
  const results = [fails("LIST-003", { expected: "next month" }), fails("ERR-001", { disputed: true })];
  expect(failuresOf(report(results)).map(({ test: id }) => id)).toEqual(["ERR-001"]);
});

test("warnings are grouped by what they say", () => {
  const results = [
    result("CACHE-001", { warning: "no Cache-Control" }),
    result("ERR-001", { warning: "no details", interface: jsonrpc }),
    result("ERR-001", { warning: "no details", interface: grpc }),
  ];
  expect(warningsOf(report(results)).map(({ message, where }) => [message, where])).toEqual([
    ["no Cache-Control", "card"],
    ["no details", "JSON-RPC, gRPC"],
  ]);
});

test("every rule that was not examined is counted once, with what would change it", () => {
  const open = (id: string, about: Partial<ConformanceResult>) => result(id, { verdict: "not-examined", ...about });
  const results = [
    open("CTX-001", { unexamined: "depth", enable: "--depth full", interface: jsonrpc }),
    open("CTX-001", { unexamined: "budget", enable: "--budget 20", interface: grpc }),
    open("CTX-002", { unexamined: "depth", enable: "--depth full" }),
    open("CTX-003", { unexamined: "no-occasion", interface: jsonrpc }),
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

test("what breaks several rules by the same thing is to be fixed once", () => {
  const message = "GetTask with an unknown id is accepted";
  const groups = failuresOf(
    report([
      fails("GET-002", { message, interface: jsonrpc }),
      fails("ERR-020", { message, interface: rest }),
      fails("LIST-003", { message: "another thing", interface: rest }),
    ]),
  );
  expect(groups.map(({ test: id, also, where }) => [id, also, where])).toEqual([
    ["ERR-020", ["GET-002"], "HTTP+JSON, JSON-RPC"],
    ["LIST-003", [], "HTTP+JSON"],
  ]);
});

test("so is what several rules are shown by the same bytes to break", () => {
  const bytes = { sent: "{}", saw: "[]", want: "an error" };
  const groups = failuresOf(
    report([
      fails("CANCEL-002", { message: "one sentence", interface: rest, ...bytes }),
      fails("ERR-021", { message: "another one", interface: rest, ...bytes }),
    ]),
  );
  expect(groups.map(({ test: id, also }) => [id, also])).toEqual([["CANCEL-002", ["ERR-021"]]]);
});
