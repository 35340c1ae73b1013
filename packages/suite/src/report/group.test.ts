import { expect, test } from "vitest";
import { foldRun } from "./fold.ts";
import { unexaminedOf, warningsOf, whereOf } from "./group.ts";
import type { ConformanceResult } from "./result.ts";
import { grpc, jsonrpc, rest, result, runOf } from "./run.fixture.ts";
import type { Unexamined } from "./verdict.ts";

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

test("warnings by one cause are one: an operation that is not there, errors that the binding does not know", () => {
  const warned = (id: string, about: Partial<ConformanceResult>) =>
    result(id, {
      interface: jsonrpc,
      warning: `${id} is warned of`,
      remedy: `repair ${id}`,
      code: "other-error",
      ...about,
    });
  const groups = warningsOf(
    report([
      warned("PUSH-001", { operation: "CreateTaskPushNotificationConfig", answer: "-32601" }),
      warned("PUSH-002", { operation: "GetTaskPushNotificationConfig", answer: "-32601" }),
      warned("GET-003", { operation: "GetTask", answer: "HTTP 400, unreadable" }),
      warned("SEND-003", { operation: "SendMessage", answer: "HTTP 400, unreadable" }),
      warned("CARD-008", { evidence: ["x1"] }),
      warned("CARD-009", { evidence: ["x1"] }),
    ]),
  );
  const rules = groups.map(({ test: id, also }) => [id, ...also].toSorted().join(" "));
  expect(rules.toSorted()).toEqual(["CARD-008", "CARD-009", "GET-003 SEND-003", "PUSH-001 PUSH-002"]);
  const [push, undressed] = ["PUSH-001", "GET-003"].map((id) =>
    groups.find(({ results }) => results.some(({ test: rule }) => rule === id)),
  );
  expect(push?.message).toMatch(/^2 operations answer -32601: /);
  expect(undressed?.example.remedy).toMatch(/^Handle every error/);
});

test("every rule that was not examined is counted once, with what would change it", () => {
  const open = (id: string, about: Partial<ConformanceResult>) => result(id, { verdict: "not-examined", ...about });
  const results = [
    open("CTX-001", { unexamined: "depth", enable: "--depth full", interface: jsonrpc }),
    open("CTX-001", { unexamined: "budget", enable: "--budget 20", interface: grpc }),
    open("CTX-002", { unexamined: "depth", enable: "--depth full" }),
    open("CTX-003", { unexamined: "not-triggered", interface: jsonrpc }),
    result("CTX-003", { interface: grpc }),
    open("CTX-004", { unexamined: "unstable", message: "not told" }),
    open("STREAM-005", { unexamined: "endless-stream", message: "the stream did not end: Task, statusUpdate" }),
  ];
  expect(unexaminedOf(report(results))).toEqual([
    { reason: "depth", rules: 2, enable: "--depth full" },
    { reason: "unstable", rules: 1 },
    { reason: "endless-stream", rules: 1, because: "the stream did not end: Task, statusUpdate" },
  ]);
});

test("the reasons of a gateway do not speak of an agent that lacks something", () => {
  const open = (id: string, unexamined: Unexamined, enable: string) =>
    result(id, { verdict: "not-examined", unexamined, enable });
  const results = [
    open("GW-GRPC-CALL", "prerequisite", "a route for gRPC"),
    open("GW-PUSH-CALLBACK", "webhook", "--callback-through <url>"),
    open("GW-STREAM-IDLE", "depth", "--depth full"),
  ];
  expect(unexaminedOf({ ...report(results), subject: "gateway" }).map(({ because }) => because)).toEqual([
    "needs something that the gateway does not offer, which is not a failure",
    "needs an address for webhooks at the gateway",
    undefined,
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
