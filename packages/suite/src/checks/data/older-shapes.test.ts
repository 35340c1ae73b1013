import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { breachCodes } from "../../rules/breach-codes.ts";
import { spoken, wordsOf } from "../bindings/call.fixture.ts";
import { fitsTheSchema, innerSayIt, resultsSayIt, wordsOfTheTime } from "./older-shapes.ts";

const text = { kind: "text", text: "hello" };
const message = { kind: "message", messageId: "m1", role: "agent", parts: [text] };
const task = {
  kind: "task",
  id: "t1",
  contextId: "c1",
  status: { state: "completed", message, timestamp: "2025-08-01T08:00:02.123456+00:00" },
  artifacts: [{ artifactId: "a1", parts: [{ kind: "file", file: { bytes: "AAEC", name: "a.bin" } }] }],
  history: [{ ...message, role: "user" }, message],
};

const answered = (json: unknown, more: Partial<Call> = {}): Call => ({
  ...spoken("JSONRPC", {}),
  on: { url: "http://127.0.0.1/", binding: "JSONRPC", dialect: "0.3" },
  said: { is: "result", json: json as JsonObject },
  ...more,
});

const checks = [resultsSayIt, innerSayIt, wordsOfTheTime, fitsTheSchema];

/** The rules that something breaks, with the code where it is weighed apart. */
const told = (call: Call): string[] =>
  checks.flatMap((check) => {
    const words = wordsOf(check.judge(call));
    if (words.includes("broken")) return [check.id];
    const apart = words.find((word) => word in breachCodes);
    return apart ? [`${check.id} ${apart}`] : [];
  });

const withPart = (part: object): object => ({ ...task, artifacts: [{ artifactId: "a1", parts: [part] }] });
const withStatus = (more: object): object => ({ ...task, status: { ...task.status, ...more } });

describe("each deviation is told by one rule", () => {
  test.each<[what: string, json: object, rules: string[]]>([
    ["a sound task", task, []],
    ["members that nobody knows", { ...task, "x-vendor": 7 }, []],
    ["no kind on the task", { ...task, kind: undefined }, ["V03-DATA-001"]],
    ["another kind on the task", { ...task, kind: "message" }, ["V03-DATA-001"]],
    ["no kind on the message of a status", withStatus({ message: { ...message, kind: undefined } }), ["V03-DATA-002"]],
    ["a part with type", withPart({ type: "text", text: "hello" }), ["V03-DATA-002 type-for-kind"]],
    ["a state as the .proto writes it", withStatus({ state: "TASK_STATE_COMPLETED" }), ["V03-DATA-003"]],
    ["a state with two Ls", withStatus({ state: "cancelled" }), ["V03-DATA-003"]],
    ["a role as the .proto writes it", withStatus({ message: { ...message, role: "ROLE_AGENT" } }), ["V03-DATA-003"]],
    ["a state that nobody knows, which LIFE-001 tells", withStatus({ state: "thinking" }), []],
    ["no contextId", { ...task, contextId: undefined }, ["V03-DATA-004"]],
    [
      "a number as the name of an artifact",
      { ...task, artifacts: [{ artifactId: "a", name: 7, parts: [text] }] },
      ["V03-DATA-004"],
    ],
    ["null for what is absent", { ...task, metadata: null }, []],
    [
      "null for the name of an artifact",
      { ...task, artifacts: [{ artifactId: "a", name: null, parts: [text] }] },
      ["V03-DATA-004 null-member"],
    ],
    ["no status, which DATA-016 tells", { ...task, status: undefined }, []],
    ["an artifact without its id, which DATA-024 tells", { ...task, artifacts: [{ parts: [text] }] }, []],
    [
      "a file with both, which DATA-020 tells",
      withPart({ kind: "file", file: { bytes: "AAEC", uri: "https://example.com" } }),
      [],
    ],
    ["a file with neither, which DATA-020 tells", withPart({ kind: "file", file: {} }), []],
    [
      "a file as official pages show it",
      withPart({ kind: "file", file: { data: "AAEC" } }),
      ["V03-DATA-004 file-under-data"],
    ],
    ["what a client wrote", { ...task, history: [{ role: "user", parts: "hello" }] }, []],
  ])("%s", (_what, json, rules) => {
    // As it comes from the wire: without what is undefined.
    expect(told(answered(JSON.parse(JSON.stringify(json))))).toEqual(rules);
  });
});

test("an event of a stream is told apart by its members when it does not say what it is", () => {
  const update = { taskId: "t1", contextId: "c1", status: { state: "working" }, final: false };
  const events = [{ is: "result", json: update as JsonObject, at: 1, bytes: 1 }] as const;
  const call = answered(undefined, {
    operation: "SendStreamingMessage",
    said: { is: "stream", events: [...events] },
    reply: { is: "stream", events: [...events] },
  });
  expect(told(call)).toEqual(["V03-DATA-001"]);
});

test.each([
  ["task", { task }],
  ["message", { message: { ...message, contextId: "c1" } }],
])("the answer to a message is not wrapped in %s, as in 1.0", (_member, json) => {
  expect(told(answered(json, { operation: "SendMessage" }))).toEqual(["V03-DATA-001"]);
});

test("what answers a message that was wrong is not judged", () => {
  expect(told(answered({ ...task, kind: 7 }, { operation: "SendMessage", fair: false }))).toEqual([]);
});

test("other bindings write the form of the .proto, where nothing has a kind", () => {
  const on = { url: "http://127.0.0.1/", binding: "HTTP+JSON", dialect: "0.3" } as const;
  expect(told(answered({ id: "t1" }, { on }))).toEqual([]);
});
