import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageOf } from "../arbitraries.fixture.ts";
import { v10 } from "../dialects/v1.0/dialect.ts";
import { A2AError, invalidParams } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { type Operation, operations } from "../operations.ts";
import { type RpcId, readCall, readRpcAnswer, writeCall, writeResult, writeRpcError } from "./jsonrpc.ts";

const operationNames = Object.keys(operations) as Operation[];
const ids: RpcId[] = [0, 1, -7, 1.5, 2 ** 53, "", "7", "a-1", '"\\\n', "ключ", null];

describe("a call that is in order", () => {
  test.each(ids)("keeps its id %j", (id) => {
    expect(readCall({ jsonrpc: "2.0", id, method: "GetTask", params: { id: "t" } })).toEqual({
      call: { id, method: "GetTask", params: { id: "t" } },
    });
  });

  test.each<[string, { params?: JsonValue }]>([
    ["no params", {}],
    ["params that are null", { params: null }],
    ["empty params", { params: {} }],
  ])("with %s has none", (_name, more) => {
    const call = { id: 1, method: "GetExtendedAgentCard", params: {} };
    expect(readCall({ jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard", ...more })).toEqual({ call });
  });

  test("may name any method; whether it exists is not the envelope's business", () => {
    for (const method of ["", "tasks/get", "toString"]) {
      expect(readCall({ jsonrpc: "2.0", id: 1, method })).toEqual({ call: { id: 1, method, params: {} } });
    }
  });

  test("may carry members that JSON-RPC does not know", () => {
    const call = { id: 1, method: "GetTask", params: {} };
    expect(readCall({ jsonrpc: "2.0", id: 1, method: "GetTask", trace: "x" })).toEqual({ call });
  });

  test("with positional params passes the envelope and is refused as parameters", () => {
    const { call } = readCall({ jsonrpc: "2.0", id: 1, method: "GetTask", params: ["t"] });
    expect(call).toEqual({ id: 1, method: "GetTask", params: ["t"] });
    expect(v10.readRequest("GetTask", call?.params)).toMatchObject({
      violations: [{ path: "$", message: "expected an object, got an array" }],
    });
  });
});

describe("an envelope that is out of order is an invalid request, with the id if it could be read", () => {
  const noObject = "The body is not a JSON-RPC request object";
  const noId = 'The request has no "id": A2A has no notifications';
  const badId = '"id" must be a string or a number';
  const badVersion = '"jsonrpc" must be exactly "2.0"';
  const badMethod = '"method" must be a string';
  const badParams = '"params" must be an object';
  const batch = "Batches are not part of A2A: send one request object per POST";

  test.each<[JsonValue, RpcId, string]>([
    [null, null, noObject],
    [true, null, noObject],
    [7, null, noObject],
    ["GetTask", null, noObject],
    [[], null, batch],
    [[{ jsonrpc: "2.0", id: 1, method: "GetTask" }], null, batch],
    [{}, null, noId],
    [{ jsonrpc: "2.0", method: "GetTask" }, null, noId],
    [{ jsonrpc: "2.0", id: true, method: "GetTask" }, null, badId],
    [{ jsonrpc: "2.0", id: {}, method: "GetTask" }, null, badId],
    [{ jsonrpc: "2.0", id: [1], method: "GetTask" }, null, badId],
    [{ id: 0, method: "GetTask" }, 0, badVersion],
    [{ jsonrpc: 2, id: 0, method: "GetTask" }, 0, badVersion],
    [{ jsonrpc: "2", id: "", method: "GetTask" }, "", badVersion],
    [{ jsonrpc: "1.0", id: "a", method: "GetTask" }, "a", badVersion],
    [{ jsonrpc: null, id: null, method: "GetTask" }, null, badVersion],
    [{ jsonrpc: "2.0", id: 0 }, 0, badMethod],
    [{ jsonrpc: "2.0", id: "", method: null }, "", badMethod],
    [{ jsonrpc: "2.0", id: "a", method: 7 }, "a", badMethod],
    [{ jsonrpc: "2.0", id: 1.5, method: ["GetTask"] }, 1.5, badMethod],
    [{ jsonrpc: "2.0", id: 7, method: "GetTask", params: "t" }, 7, badParams],
    [{ jsonrpc: "2.0", id: 7, method: "GetTask", params: 0 }, 7, badParams],
    [{ jsonrpc: "2.0", id: 7, method: "GetTask", params: false }, 7, badParams],
    [{ jsonrpc: "2.0", id: 7, method: "GetTask", params: "" }, 7, badParams],
  ])("%j", (json, id, message) => {
    const reading = readCall(json);
    expect(reading.call).toBe(undefined);
    expect({ ...reading, error: [reading.error?.kind, reading.error?.message] }).toEqual({
      id,
      error: ["InvalidRequest", message],
    });
  });
});

describe("an answer that we write is the answer that we read", () => {
  test.each(ids)("with the id %j", (id) => {
    expect(readRpcAnswer(parseJson(writeResult(id, '{"a":[1]}')))).toEqual({ id, result: { a: [1] } });
  });

  test.each<[string, JsonValue]>([
    ["null", null],
    ["an empty object", {}],
    ["zero", 0],
    ["false", false],
    ["an empty string", ""],
  ])("with %s as its result", (_name, result) => {
    expect(readRpcAnswer(parseJson(writeResult(1, JSON.stringify(result))))).toEqual({ id: 1, result });
  });

  test("with any result of any operation, which the dialect reads unchanged", () => {
    for (const operation of operationNames) {
      const { answer } = operations[operation];
      if (answer === null) continue;
      fc.assert(
        fc.property(messageOf(answer), fc.constantFrom(...ids), (value, id) => {
          const text = writeResult(id, JSON.stringify(v10.writeAnswer(operation, value as never)));
          const read = readRpcAnswer(parseJson(text));
          expect(read).toStrictEqual({ id, result: value });
          expect(v10.readAnswer(operation, value)).toStrictEqual({ value });
        }),
        { numRuns: 15 },
      );
    }
  });

  test("with an error, whose details are its data", () => {
    const error = new A2AError("TaskNotFound", "No such task", { facts: { taskId: "t-nope" } });
    expect(readRpcAnswer(parseJson(writeRpcError("a", error)))).toEqual({
      id: "a",
      failure: {
        code: -32001,
        message: "No such task",
        data: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "TASK_NOT_FOUND",
            domain: "a2a-protocol.org",
            metadata: { taskId: "t-nope" },
          },
        ],
      },
    });
  });

  test("with an error of either column, because the codes never changed", () => {
    const error = invalidParams([{ path: "$.id", message: "is required and missing" }]);
    expect(writeRpcError(null, error, "1.0.0")).toBe(writeRpcError(null, error, "1.0.1"));
  });
});

test("any request of any operation survives the envelope and the dialect", () => {
  for (const operation of operationNames) {
    fc.assert(
      fc.property(messageOf(operations[operation].request), fc.constantFrom(...ids), (request, id) => {
        const written = writeCall(id, v10.methodOf(operation)!, v10.writeRequest(operation, request as never) as never);
        const { call } = readCall(parseJson(JSON.stringify(written)));
        expect(call).toStrictEqual({ id, method: operation, params: request });
        expect(v10.readRequest(v10.operationOf(call!.method)!, call!.params)).toStrictEqual({ value: request });
      }),
      { numRuns: 15 },
    );
  }
});

describe("a response envelope", () => {
  test.each<[string, JsonValue, ReturnType<typeof readRpcAnswer>]>([
    ["without an id reads as null", { jsonrpc: "2.0", result: 1 }, { id: null, result: 1 }],
    [
      "keeps whatever data its error has",
      { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no", data: "text" } },
      { id: 1, failure: { code: -32602, message: "no", data: "text" } },
    ],
    [
      "keeps data that is null",
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "", data: null } },
      { id: 1, failure: { code: 1, message: "", data: null } },
    ],
    [
      "needs no data in its error",
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "no JSON" } },
      { id: null, failure: { code: -32700, message: "no JSON" } },
    ],
  ])("%s", (_name, json, answer) => {
    expect(readRpcAnswer(json)).toStrictEqual(answer);
  });

  test.each<[string, JsonValue]>([
    ["null", null],
    ["a batch", [{ jsonrpc: "2.0", id: 1, result: 1 }]],
    ["text", "result"],
    ["an object without a version", { id: 1, result: 1 }],
    ["another version", { jsonrpc: "1.0", id: 1, result: 1 }],
    ["neither result nor error", { jsonrpc: "2.0", id: 1 }],
    ["both result and error", { jsonrpc: "2.0", id: 1, result: 1, error: { code: 1, message: "" } }],
    ["a null result beside an error", { jsonrpc: "2.0", id: 1, result: null, error: { code: 1, message: "" } }],
    ["an error that is null", { jsonrpc: "2.0", id: 1, error: null }],
    ["an error that is text", { jsonrpc: "2.0", id: 1, error: "no" }],
    ["an error without a code", { jsonrpc: "2.0", id: 1, error: { message: "no" } }],
    ["an error with a code in text", { jsonrpc: "2.0", id: 1, error: { code: "-32001", message: "no" } }],
    ["an error without a message", { jsonrpc: "2.0", id: 1, error: { code: 1 } }],
  ])("is not %s", (_name, json) => {
    expect(readRpcAnswer(json)).toBe(undefined);
  });
});
