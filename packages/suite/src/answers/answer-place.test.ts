import type { JsonValue } from "@assay/protocol";
import type { Reply } from "@assay/wire";
import { expect, test } from "vitest";
import { spoken } from "../checks/bindings/call.fixture.ts";
import type { Spot } from "../define/finding.ts";
import { answerPlace } from "./answer-place.ts";
import { rememberSaid } from "./said.ts";

const answered = (
  binding: "JSONRPC" | "HTTP+JSON" | "GRPC",
  said: Reply,
  spot?: Spot,
  code: "broken" | "accepted" = "broken",
) => answerPlace({ ...spoken(binding, {}), reply: said, said }, { code, ...(spot !== undefined && { spot }) });

const streamOf = (...events: readonly JsonValue[]): Reply => ({
  is: "stream",
  events: events.map((json) => ({ is: "result", json, at: 1, bytes: 1 })),
});

const part = { text: "hi" };
const task = { task: { id: "t1", artifacts: [{ "odd name": [part] }] } };

test("a value is found where it stands, in the words of the binding", () => {
  const result: Reply = { is: "result", json: task };
  const path = '.task.artifacts[0]["odd name"][0]';
  expect(answered("JSONRPC", result, { within: part })).toEqual({ path: `$.result${path}` });
  expect(answered("HTTP+JSON", result, { within: part, tail: ".kind" })).toEqual({ path: `$${path}.kind` });
  expect(answered("GRPC", result, { within: part })).toBeUndefined();
  expect(answered("JSONRPC", result, { within: { ...part } })).toBeUndefined();
});

test("in a stream it is found in its event; over gRPC the event has to do", () => {
  const stream = streamOf({ statusUpdate: {} }, task);
  expect(answered("HTTP+JSON", stream, { within: task })).toEqual({ event: 1, path: "$" });
  expect(answered("GRPC", stream, { within: part })).toEqual({ event: 1 });
  expect(answered("JSONRPC", stream)).toBeUndefined();
});

test("what was translated is found as it was said", () => {
  const said = { status: { state: "done" } };
  const meant = { statusUpdate: { status: { state: "done" } } };
  rememberSaid(meant, said);
  const call = { ...spoken("JSONRPC", {}), said: { is: "result", json: said } as const };
  const spot = { within: meant.statusUpdate.status, tail: ".state" };
  expect(answerPlace(call, { code: "broken", spot })).toEqual({ path: "$.result.status.state" });
});

test("without a value, an error is where it says what it is, and what should have been refused is all of the result", () => {
  const error: Reply = { is: "error", error: { code: -32603, http: 200, message: "", details: [] } };
  expect(answered("JSONRPC", error)).toEqual({ path: "$.error.code" });
  expect(answered("HTTP+JSON", error)).toEqual({ path: "$.error" });
  expect(answered("GRPC", error)).toBeUndefined();
  expect(answered("JSONRPC", { is: "result", json: {} }, undefined, "accepted")).toEqual({ path: "$.result" });
  expect(answered("JSONRPC", { is: "result", json: {} })).toBeUndefined();
});
