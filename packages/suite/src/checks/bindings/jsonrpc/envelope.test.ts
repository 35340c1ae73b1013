import { describe, expect, test } from "vitest";
import { spoken, wordsOf } from "../call.fixture.ts";
import { eventsAreResponses, oneOfResultAndError, repeatsId } from "./envelope.ts";

const request = (id: unknown) => ({ jsonrpc: "2.0", id, method: "GetTask", params: { id: "t" } });
const failed = (code: number) => ({ code, message: "no" });

describe("the id of a response", () => {
  test.each<[string, unknown, object, string[]]>([
    ["is that of the request", 7, { id: 7, result: {} }, ["holds"]],
    ["is a string like that of the request", "7", { id: "7", result: {} }, ["holds"]],
    ["is not a string where it was a number", 7, { id: "7", result: {} }, ["broken"]],
    ["is not missing", 7, { result: {} }, ["broken"]],
    ["is not null where the request could be read", 7, { id: null, error: failed(-32001) }, ["error-without-id"]],
    ["may be null where it could not be read", 7, { id: null, error: failed(-32700) }, []],
    ["may be null where the request is called invalid", 7, { id: null, error: failed(-32600) }, []],
    ["is not looked at where the request has none", undefined, { id: null, error: failed(-32602) }, []],
  ])("%s", (_what, id, answer, verdict) => {
    const call = spoken("JSONRPC", { sent: request(id), body: { jsonrpc: "2.0", ...answer } });
    expect(wordsOf(repeatsId.judge(call))).toEqual(verdict);
  });

  test("is shown with its quotes where only they differ", () => {
    const call = spoken("JSONRPC", { sent: request(7), body: { jsonrpc: "2.0", id: "7", result: {} } });
    expect(repeatsId.judge(call)).toMatchObject({ saw: 'id "7"', want: "id 7" });
  });

  test("is not looked at where a gate in front turned the request away", () => {
    const call = spoken("JSONRPC", {
      sent: request(7),
      status: 401,
      body: { jsonrpc: "2.0", id: null, error: failed(-1) },
    });
    expect(repeatsId.judge(call)).toBeUndefined();
  });
});

describe("a response", () => {
  test.each<[string, unknown, string[]]>([
    ["with a result is one", { jsonrpc: "2.0", id: 1, result: null }, ["holds"]],
    ["with an error is one", { jsonrpc: "2.0", id: 1, error: failed(-1) }, ["holds"]],
    ["with a result of null beside the error is none", { jsonrpc: "2.0", id: 1, result: null, error: {} }, ["broken"]],
    ["without either is none", { jsonrpc: "2.0", id: 1 }, ["broken"]],
    ["of another version is none", { jsonrpc: "1.0", id: 1, result: {} }, ["broken"]],
    ["that is a bare task is none", { id: "t", status: {} }, ["broken"]],
    ["that is a page is not for this rule", "<!doctype html>", []],
  ])("%s", (_what, body, verdict) => {
    expect(wordsOf(oneOfResultAndError.judge(spoken("JSONRPC", { sent: request(1), body })))).toEqual(verdict);
  });

  test("may come with any HTTP status", () => {
    const body = { jsonrpc: "2.0", id: 1, error: failed(-32001) };
    expect(wordsOf(oneOfResultAndError.judge(spoken("JSONRPC", { status: 404, body })))).toEqual(["holds"]);
  });
});

test("an event that holds an error is left to the rule about errors", () => {
  const event = JSON.stringify({ jsonrpc: "2.0", id: 1, error: failed(-32001) });
  expect(wordsOf(eventsAreResponses.judge(spoken("JSONRPC", { sent: request(1), events: [event] })))).toEqual([]);
});

test("an event with the id of another request is noticed", () => {
  const event = JSON.stringify({ jsonrpc: "2.0", id: 2, result: { task: {} } });
  expect(wordsOf(eventsAreResponses.judge(spoken("JSONRPC", { sent: request(1), events: [event] })))).toEqual([
    "broken",
  ]);
});
