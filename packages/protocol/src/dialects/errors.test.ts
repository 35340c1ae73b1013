import { describe, expect, test } from "vitest";
import { A2AError, type ErrorName, errorTable } from "../errors.ts";
import { dialectsUnderTest } from "./dialect.fixture.ts";
import type { Wire } from "./releases.ts";
import { v01 } from "./v0.1/dialect.ts";
import { v02 } from "./v0.2/dialect.ts";
import { v03 } from "./v0.3/dialect.ts";
import { v10 } from "./v1.0/dialect.ts";

const names = Object.keys(errorTable) as ErrorName[];
const dialectOf = (wire: Wire) => dialectsUnderTest.find((dialect) => dialect.wire === wire)!;

describe.each(dialectsUnderTest.map((dialect) => ({ dialect, wire: dialect.wire })))("$wire", ({ dialect }) => {
  test.each(names)("%s comes back by its reason", (kind) => {
    const error = new A2AError(kind, "no such tide", { facts: { taskId: "t-1" } });
    const back = dialect.readError(dialect.writeError(error));
    expect([back.kind, back.message, back.facts]).toEqual([kind, "no such tide", { taskId: "t-1" }]);
  });
});

/** Codes that mean the same in every dialect. */
const settled: [number, ErrorName][] = [
  [-32700, "Parse"],
  [-32600, "InvalidRequest"],
  [-32601, "MethodNotFound"],
  [-32602, "InvalidParams"],
  [-32603, "Internal"],
  [-32001, "TaskNotFound"],
  [-32002, "TaskNotCancelable"],
  [-32003, "PushNotificationNotSupported"],
  [-32004, "UnsupportedOperation"],
  [-32005, "ContentTypeNotSupported"],
];

test.each(settled)("%i is %s everywhere", (code, kind) => {
  for (const dialect of dialectsUnderTest) {
    expect(dialect.writeError(new A2AError(kind, "")).code).toBe(code);
    expect(dialect.readError({ code, message: "m" }).kind).toBe(kind);
  }
});

describe("the others belong to their dialect", () => {
  test.each<[ErrorName, Partial<Record<Wire, number>>]>([
    ["InvalidAgentResponse", { "1.0": -32006, "0.3": -32006, "0.2.6": -32006, "0.1": -32603 }],
    ["ExtendedAgentCardNotConfigured", { "1.0": -32007, "0.3": -32007, "0.2.6": -32004, "0.1": -32004 }],
    ["ExtensionSupportRequired", { "1.0": -32008, "0.3": -32004, "0.2.6": -32004, "0.1": -32004 }],
    ["VersionNotSupported", { "1.0": -32009, "0.3": -32004, "0.2.6": -32004, "0.1": -32004 }],
  ])("%s is written as %j", (kind, codes) => {
    const error = new A2AError(kind, "m");
    for (const [wire, code] of Object.entries(codes)) expect(dialectOf(wire as Wire).writeError(error).code).toBe(code);
  });

  test.each<[number, Partial<Record<Wire, ErrorName>>]>([
    [-32006, { "1.0": "InvalidAgentResponse", "0.3": "InvalidAgentResponse", "0.1": "UnsupportedOperation" }],
    [-32007, { "1.0": "ExtendedAgentCardNotConfigured", "0.2.6": "Internal", "0.1": "Unauthenticated" }],
    [-32008, { "1.0": "ExtensionSupportRequired", "0.3": "Internal", "0.1": "PermissionDenied" }],
    [-32009, { "1.0": "VersionNotSupported", "0.3": "Internal", "0.1": "UnsupportedOperation" }],
    [-32010, { "1.0": "TaskGenerationMismatch", "0.3": "Internal", "0.1": "Unavailable" }],
  ])("%i is read as %j", (code, kinds) => {
    for (const [wire, kind] of Object.entries(kinds)) {
      expect(dialectOf(wire as Wire).readError({ code, message: "m" }).kind).toBe(kind);
    }
  });
});

const violated = new A2AError("InvalidParams", "Invalid parameters: message is missing", {
  violations: [{ path: "$.message", message: "is required and missing" }],
});
const fieldViolations = [{ field: "message", description: "is required and missing" }];

test("0.3 tells the reason in an object, 1.0 in an array of details", () => {
  expect(v03.writeError(violated)).toEqual({
    code: -32602,
    message: "Invalid parameters: message is missing",
    data: { reason: "INVALID_PARAMS", fieldViolations },
  });
  expect(Array.isArray(v10.writeError(violated).data)).toBe(true);
});

test("0.1 prescribes the text, so ours moves into the data", () => {
  expect(v01.writeError(violated)).toEqual({
    code: -32602,
    message: "Invalid parameters",
    data: { detail: "Invalid parameters: message is missing", reason: "INVALID_PARAMS", fieldViolations },
  });
  expect(v01.writeError(new A2AError("TaskNotFound", "Task not found")).data).toEqual({ reason: "TASK_NOT_FOUND" });
});

test("details of 1.0 in an answer to an older client are understood, and odd data is not stumbled over", () => {
  const details = [{ "@type": "x", reason: "TASK_NOT_FOUND", metadata: { taskId: "t", n: 1 } }];
  const error = v02.readError({ code: -32603, message: "m", data: details });
  expect([error.kind, error.facts]).toEqual(["TaskNotFound", { taskId: "t" }]);
  for (const data of [null, "text", 7, [], [null], { error: "x" }, { error: { code: "1" } }, { reason: 1 }]) {
    expect(v02.readError({ code: -32002, message: "m", data: data as never }).kind).toBe("TaskNotCancelable");
  }
});
