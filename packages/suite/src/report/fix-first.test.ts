import { describe, expect, test } from "vitest";
import { failuresOf } from "./fix-first.ts";
import { foldRun } from "./fold.ts";
import type { ConformanceResult } from "./result.ts";
import { basics, grpc, jsonrpc, rest, result, runOf } from "./run.fixture.ts";

const report = (results: readonly ConformanceResult[]) => foldRun(runOf(results));
const groups = (...results: readonly ConformanceResult[]) => failuresOf(report(results));
/** Each group by its rules: the one that stands for it, and the others. */
const rules = (...results: readonly ConformanceResult[]) =>
  groups(...results).map(({ test: id, also }) => [id, ...also].join(" "));
const fails = (id: string, about: Partial<ConformanceResult> = {}) =>
  result(id, { verdict: "fail", interface: jsonrpc, message: `${id} is broken`, ...about });
const blocked = (id: string, rootCause: string, on = jsonrpc) =>
  result(id, { verdict: "blocked", rootCause, interface: on });

describe("the order", () => {
  test("is the card and the basics, then what breaks and blocks most rules, then the core, then as the rules stand", () => {
    const alike = { code: "accepted", evidence: ["x9"] };
    expect(
      rules(
        fails("AUTH-001"),
        fails("AUTH-002"),
        fails("ERR-001", alike),
        fails("ERR-002", alike),
        fails("LIST-003"),
        blocked("LIST-004", "LIST-003"),
        fails("DATA-004"),
        fails("SEND-001"),
        fails("CARD-004", { category: "agent-card" }),
      ),
    ).toEqual(["CARD-004", "SEND-001", "LIST-003", "ERR-001 ERR-002", "DATA-004", "AUTH-001", "AUTH-002"]);
  });

  test("of what weighs the same goes by what it holds up", () => {
    const results = [
      fails("CANCEL-001"),
      fails("GET-003"),
      blocked("GET-004", "GET-003"),
      blocked("GET-005", "GET-003"),
    ];
    expect(groups(...results).map(({ test: id, blocks }) => [id, blocks])).toEqual([
      ["GET-003", 2],
      ["CANCEL-001", 0],
    ]);
  });

  test("puts a crash and a dead connection before a missing operation, however much that blocks", () => {
    const missing = [
      fails("CAP-003", { code: "operation-not-served" }),
      blocked("PUSH-005", "CAP-003"),
      blocked("PUSH-006", "CAP-003"),
    ];
    expect(rules(...missing, fails("LIST-010", { code: "crashed" }))).toEqual(["LIST-010", "CAP-003"]);
    expect(rules(...basics, ...missing, fails("CARD-016", { interface: grpc }))).toEqual(["CARD-016", "CAP-003"]);
  });

  test("of a client goes by what a message of it rests on", () => {
    const results = [fails("AUTH-001"), fails("GET-001"), fails("VER-001")];
    const { categories } = report(results);
    expect(failuresOf({ categories, subject: "client" }).map(({ test: id }) => id)).toEqual([
      "VER-001",
      "AUTH-001",
      "GET-001",
    ]);
  });

  test("has contested failures last, and none that a baseline expects", () => {
    const results = [fails("GET-003", { disputed: true }), fails("AUTH-001"), fails("LIST-003", { expected: "soon" })];
    expect(rules(...results)).toEqual(["AUTH-001", "GET-003"]);
  });

  test("is that of the document, which names each failure by its fingerprint", () => {
    const { fixFirst } = report([fails("AUTH-001"), fails("GET-003"), fails("GET-003", { interface: rest })]);
    expect(fixFirst).toEqual([
      {
        message: "GET-003 is broken",
        tests: ["GET-003"],
        where: "JSON-RPC, HTTP+JSON",
        weight: "core",
        blocks: 0,
        findings: ["GET-003/1.0/JSONRPC/broken", "GET-003/1.0/HTTP+JSON/broken"],
      },
      expect.objectContaining({ tests: ["AUTH-001"], weight: "other" }),
    ]);
  });
});

describe("one cause is", () => {
  test("the same rule broken in the same way on several bindings, each told in its own words", () => {
    const [crash, group] = groups(
      fails("LIST-003", { message: "no nextPageToken" }),
      fails("LIST-003", { message: "nextPageToken is null", interface: rest }),
      fails("LIST-003", { message: "the call broke down", interface: grpc, code: "crashed" }),
    );
    expect([group?.where, group?.message]).toEqual(["JSON-RPC, HTTP+JSON", "no nextPageToken"]);
    expect(group?.sightings.map(({ where, message }) => `${where}: ${message}`)).toEqual([
      "JSON-RPC: no nextPageToken",
      "HTTP+JSON: nextPageToken is null",
    ]);
    expect(crash?.where).toBe("gRPC");
  });

  test("the same kind of breach in the same exchange", () => {
    const accepted = { code: "accepted", evidence: ["x7"] };
    expect(rules(fails("CANCEL-002", accepted), fails("ERR-021", accepted))).toEqual(["CANCEL-002 ERR-021"]);
    expect(rules(fails("LIST-003", { evidence: ["x7"] }), fails("LIST-005", { evidence: ["x7"] }))).toHaveLength(2);
  });

  test("the same request made twice, answered in the same way against the same demand", () => {
    const ask = (id: string, about: Partial<ConformanceResult> = {}) => ({
      operation: "GetTask",
      answer: "-32602",
      sent: `{"jsonrpc":"2.0","id":${id},"method":"GetTask","params":{"id":"0b9c4d6e-1b7c-4d2a-9c3e-0123456789a${id}"}}`,
      want: "error.code -32001",
      ...about,
    });
    expect(rules(fails("GET-002", ask("1")), fails("ERR-020", ask("2")))).toEqual(["GET-002 ERR-020"]);
    expect(rules(fails("GET-002", ask("1")), fails("ERR-020", ask("2", { want: "-32004" })))).toHaveLength(2);
    expect(rules(fails("GET-002", ask("1")), fails("ERR-020", ask("2", { answer: "-32004" })))).toHaveLength(2);
    // With a result, a rule may be broken by anything in it.
    const read = ({ answer: _, ...about }: ReturnType<typeof ask>) => about;
    expect(rules(fails("GET-002", read(ask("1"))), fails("GET-003", read(ask("2"))))).toHaveLength(2);
  });

  test("a table of methods that does not know several operations: how many, and which", () => {
    const unknown = (id: string, operation: string, about: Partial<ConformanceResult> = {}) =>
      fails(id, { operation, answer: "-32601", code: "other-error", evidence: [id], ...about });
    const [group, ...others] = groups(
      unknown("PUSH-006", "CreateTaskPushNotificationConfig"),
      unknown("PUSH-014", "ListTaskPushNotificationConfigs"),
      unknown("LIST-001", "ListTasks", { code: "broken" }),
      unknown("PUSH-006", "CreateTaskPushNotificationConfig", { interface: grpc, answer: "UNIMPLEMENTED" }),
      fails("XCARD-001", { operation: "GetExtendedAgentCard", answer: "-32603", code: "other-error" }),
    );
    expect(group?.message).toBe(
      "3 operations answer -32601 or UNIMPLEMENTED: ListTasks, CreateTaskPushNotificationConfig, ListTaskPushNotificationConfigs",
    );
    expect([group?.results.length, others.map(({ test: id }) => id)]).toEqual([4, ["XCARD-001"]]);
    expect(groups(unknown("LIST-001", "ListTasks"))[0]?.message).toBe("LIST-001 is broken");
  });

  test("one wrong error for the same mistake in several operations", () => {
    const wrong = (id: string, operation: string, about: Partial<ConformanceResult> = {}) =>
      fails(id, {
        operation,
        answer: "-32603",
        code: "internal-error-number",
        want: "error.code -32001 (TaskNotFound)",
        evidence: [id],
        remedy: `repair ${id}.`,
        ...about,
      });
    const [group, ...others] = groups(
      wrong("GET-002", "GetTask"),
      wrong("CANCEL-003", "CancelTask"),
      wrong("SUB-004", "SubscribeToTask"),
      wrong("PUSH-008", "GetTaskPushNotificationConfig", { answer: "-32004", code: "other-error" }),
      wrong("ERR-021", "CancelTask", { answer: "-32004", want: "error.code -32002 (TaskNotCancelable)" }),
      wrong("LIST-003", "ListTasks", { code: "broken", answer: "-32000" }),
    );
    expect(group?.message).toBe(
      "3 operations answer -32603 instead of error.code -32001 (TaskNotFound): CancelTask, GetTask, SubscribeToTask",
    );
    expect(group?.sightings.map(({ test: id }) => id)).toEqual(["CANCEL-003", "GET-002", "SUB-004"]);
    expect(group?.example.remedy).toBe("repair CANCEL-003. The other operations need the same error.");
    expect(others.map(({ test: id }) => id).toSorted()).toEqual(["ERR-021", "LIST-003", "PUSH-008"]);
  });

  test("one handler that breaks down, whatever was asked of it and whatever rule that breaks", () => {
    const crash = (id: string, operation: string) =>
      fails(id, { operation, answer: "-32603", code: id === "LIST-004" ? "broken" : "crashed", evidence: [id] });
    expect(
      rules(crash("LIST-001", "ListTasks"), crash("LIST-004", "ListTasks"), crash("SUB-002", "SubscribeToTask")),
    ).toEqual(["LIST-001 LIST-004", "SUB-002"]);
  });

  test("never a wrong id with the crash in whose response it was seen", () => {
    const crash = { operation: "GetTask", answer: "-32603" };
    expect(
      rules(
        fails("GET-002", { ...crash, code: "other-error", evidence: ["x1"] }),
        fails("JSONRPC-004", { ...crash, evidence: ["x2"] }),
      ),
    ).toHaveLength(2);
  });

  test("a server that answers errors as HTTP has them, whatever was asked, with one remedy", () => {
    const undressed = (id: string, operation: string, answer = "HTTP 500, unreadable") =>
      fails(id, { operation, answer, evidence: [id], remedy: `repair ${id}` });
    const [group, ...others] = groups(
      undressed("GET-003", "GetTask"),
      undressed("JSONRPC-006", "GetTask"),
      undressed("PUSH-001", "CreateTaskPushNotificationConfig"),
      undressed("CANCEL-007", "CancelTask", "HTTP 400, unreadable"),
      undressed("GET-005", "GetTask", "unreadable"),
    );
    expect(group?.message).toBe(
      "2 operations answer HTTP 500, without an error of the binding: GetTask, CreateTaskPushNotificationConfig",
    );
    expect(group?.example.remedy).toMatch(/^Handle every error in one place/);
    expect(others.map(({ test: id, example }) => [id, example.remedy])).toEqual([
      ["CANCEL-007", "repair CANCEL-007"],
      ["GET-005", "repair GET-005"],
    ]);
  });

  test("never a sentence: two faults may be told alike", () => {
    const message = "the call is refused";
    expect(rules(fails("LIST-003", { message }), fails("PUSH-005", { message }))).toEqual(["LIST-003", "PUSH-005"]);
  });
});

test("the gravest failure stands for its group, and what it holds up is counted once", () => {
  const alike = { code: "other-error", evidence: ["x3"] };
  const [group] = groups(
    fails("ERR-020", alike),
    fails("GET-002", alike),
    blocked("GET-003", "GET-002"),
    blocked("ERR-021", "ERR-020"),
    blocked("GET-004", "GET-002", grpc),
  );
  expect([group?.test, group?.also, group?.weight]).toEqual(["GET-002", ["ERR-020"], "core"]);
  expect(group?.holdsUp.map(({ test: id }) => id).toSorted()).toEqual(["ERR-021", "GET-003", "GET-004"]);
});

test("what a rule holds up on one interface is not counted for its failure on another", () => {
  const results = [
    fails("GET-002", { code: "other-error" }),
    fails("GET-002", { interface: grpc, code: "crashed" }),
    blocked("GET-003", "GET-002", grpc),
    blocked("GET-004", "GET-002", grpc),
  ];
  expect(groups(...results).map(({ where, blocks }) => [where, blocks])).toEqual([
    ["gRPC", 2],
    ["JSON-RPC", 0],
  ]);
});
