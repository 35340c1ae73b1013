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

test("so is the same kind of breach in the same exchange, or in the same request made twice", () => {
  const request = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"GetExtendedAgentCard","params":{}}`;
  const groups = failuresOf(
    report([
      fails("ERR-007", { message: "one sentence", code: "accepted", evidence: ["x7"], interface: jsonrpc }),
      fails("PUSH-006", { message: "another one", code: "accepted", evidence: ["x7"], interface: jsonrpc }),
      fails("ERR-023", {
        message: "a",
        code: "other-error",
        sent: request("4"),
        saw: "error -32601",
        evidence: ["x8"],
      }),
      fails("XCARD-001", {
        message: "b",
        code: "other-error",
        sent: request("9"),
        saw: "error -32601",
        evidence: ["x9"],
      }),
    ]),
  );
  expect(groups.map(({ test: id, also }) => [id, also])).toEqual([
    ["ERR-007", ["PUSH-006"]],
    ["ERR-023", ["XCARD-001"]],
  ]);
});

test("so is one exception, whatever was asked", () => {
  const saw = "error -32603 (list index out of range)";
  const crash = (id: string, sent: string) => fails(id, { message: `${id} broke`, code: "crashed", sent, saw });
  const [group, ...others] = failuresOf(
    report([crash("LIST-001", "a"), crash("LIST-004", "b"), crash("LIST-006", "c")]),
  );
  expect([group?.test, group?.also, others]).toEqual(["LIST-001", ["LIST-004", "LIST-006"], []]);
});

test("two rules that are broken by the same answer in different ways are two failures", () => {
  const page = { code: "broken", sent: "{}", saw: "{}", evidence: ["x1"], interface: jsonrpc };
  const groups = failuresOf(
    report([
      fails("LIST-003", { message: "no nextPageToken", want: "nextPageToken", ...page }),
      fails("LIST-005", { message: "no pageSize", want: "pageSize", ...page }),
    ]),
  );
  expect(groups.map(({ test: id }) => id)).toEqual(["LIST-003", "LIST-005"]);
});
