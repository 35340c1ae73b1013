import { expect, test } from "vitest";
import { readLooseAnswer, readLooseCall } from "./envelope.ts";

test("a call without jsonrpc and id is read, and will be answered with null", () => {
  const { call, notes } = readLooseCall({ method: "tasks/get", params: { id: "t" } });
  expect(call).toEqual({ id: null, method: "tasks/get", params: { id: "t" } });
  expect(notes.map(({ path }) => path)).toEqual(["$.jsonrpc", "$.id"]);
});

test("a sound call has no notes, a batch stays refused", () => {
  expect(readLooseCall({ jsonrpc: "2.0", id: 1, method: "m" }).notes).toEqual([]);
  expect(readLooseCall([]).error?.kind).toBe("InvalidRequest");
  expect(readLooseCall({ method: 7 }).error?.kind).toBe("InvalidRequest");
});

test("an answer is read whatever its id, and a wrong one is said", () => {
  expect(readLooseAnswer({ jsonrpc: "2.0", id: 9, result: 1 }, 10)).toEqual({
    answer: { id: 9, result: 1 },
    notes: [{ path: "$.id", message: "is 9; the request had 10" }],
  });
});

test("an answer with neither result nor error is a null, as Python answers a delete", () => {
  expect(readLooseAnswer({ jsonrpc: "2.0", id: 1 }, 1)).toEqual({
    answer: { id: 1, result: null },
    notes: [{ path: "$.result", message: "is missing, and so is error; read as null" }],
  });
});

test("a null beside the other of the two says nothing", () => {
  const error = { code: -32001, message: "m" };
  expect(readLooseAnswer({ jsonrpc: "2.0", id: 1, result: null, error }, 1).answer).toEqual({ id: 1, failure: error });
  expect(readLooseAnswer({ jsonrpc: "2.0", id: 1, result: 2, error: null }, 1).answer).toEqual({ id: 1, result: 2 });
});

test("an error without id is read; what is no object is no answer", () => {
  expect(readLooseAnswer({ jsonrpc: "2.0", error: { code: 1, message: "m" } }, 1).answer).toEqual({
    id: null,
    failure: { code: 1, message: "m" },
  });
  expect(readLooseAnswer("gone", 1).answer).toBe(undefined);
});
