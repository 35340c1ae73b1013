import type { JsonObject, Operation } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { LeanCalls, leanOf } from "./lean-call.ts";

const task = (id: string): JsonObject => ({
  id,
  contextId: "c",
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-16T08:00:00Z", message: { parts: [] } },
  artifacts: [{ artifactId: "a", parts: [{ text: "OK" }] }],
});

const exchangeOf = (bytes: number): Exchange =>
  ({
    id: "x1",
    http: { request: { body: new Uint8Array() }, response: { status: 200, body: new Uint8Array(bytes) } },
  }) as unknown as Exchange;

function callOf(operation: Operation, json: JsonObject): Call {
  const reply = { is: "result", json } as const;
  return { operation, exchange: exchangeOf(10), reply, said: reply } as unknown as Call;
}

const listed = (count: number): Call =>
  callOf("ListTasks", { tasks: Array.from({ length: count }, (_, index) => task(`t${index}`)), nextPageToken: "" });

/** The tasks of a call as it is kept. */
const keptOf = (call: Call): JsonObject[] =>
  call.reply.is === "result" ? (call.reply.json as { tasks: JsonObject[] }).tasks : [];

test("a call of ordinary size is kept as it is", () => {
  const call = listed(1_000);
  expect(new LeanCalls().of(call, call.exchange)).toBe(call);
});

test("of a long list all tasks are kept, those behind the first thousand by what tells them apart", () => {
  const call = listed(3_000);
  const kept = keptOf(new LeanCalls().of(call, call.exchange));
  expect(kept).toHaveLength(3_000);
  expect(kept[999]).toEqual(task("t999"));
  expect(kept[1_000]).toEqual({
    id: "t1000",
    contextId: "c",
    status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-16T08:00:00Z" },
  });
});

test("a task of this run is kept whole wherever it stands: what lists show of it is judged", () => {
  const calls = new LeanCalls();
  calls.of(callOf("SendMessage", { task: task("t2999") }), exchangeOf(10));
  const call = listed(3_000);
  expect(keptOf(calls.of(call, call.exchange))[2_999]).toEqual(task("t2999"));
});

test("the same task of two lists is kept once", () => {
  const calls = new LeanCalls();
  const [first, second] = [listed(1_500), listed(1_500)].map((call) => keptOf(calls.of(call, call.exchange)));
  expect(second!.every((each, index) => each === first![index])).toBe(true);
});

/** A response to SendMessage or GetTask with a task of this many artifacts and messages. */
function taskOf(operation: "SendMessage" | "GetTask", id: string, count: number): Call {
  const artifacts = Array.from({ length: count }, (_, index) => ({ artifactId: `a${index}`, parts: [{ text: "OK" }] }));
  const history = Array.from({ length: count }, (_, index) => ({ messageId: `m${index}`, parts: [{ text: "OK" }] }));
  const long = { ...task(id), artifacts, history };
  return callOf(operation, operation === "SendMessage" ? { task: long } : long);
}

const listsOf = ({ reply }: Call): unknown[] => {
  const json = (reply as { json: JsonObject }).json;
  const { artifacts, history } = (json["task"] ?? json) as JsonObject;
  return [artifacts, history];
};

test("equal artifacts and messages of long tasks are kept once, and no other data changes", () => {
  const calls = new LeanCalls();
  const whole = [taskOf("SendMessage", "t", 1_500), taskOf("GetTask", "t", 1_500), taskOf("GetTask", "t", 1_501)];
  const [sent, read, longer] = whole.map((call) => calls.of(call, call.exchange));
  expect([sent!.reply, read!.reply, longer!.reply]).toEqual(whole.map(({ reply }) => reply));
  const [kept, again, others] = [listsOf(sent!), listsOf(read!), listsOf(longer!)];
  expect([again[0] === kept[0], again[1] === kept[1]]).toEqual([true, true]);
  expect([others[0] === kept[0], others[1] === kept[1]]).toEqual([false, false]);
});

test("a task of ordinary size is kept as it is", () => {
  const call = taskOf("GetTask", "t", 1_000);
  expect(new LeanCalls().of(call, call.exchange)).toBe(call);
});

test("of an answer that was cut for the record, the cut one is kept, and what was found in the whole one points to it", () => {
  const call = callOf("GetTask", task("t"));
  const written = exchangeOf(4);
  const lean = new LeanCalls().of(call, written);
  expect(lean.exchange).toBe(written);
  expect(leanOf(call)).toBe(lean);
  expect(leanOf(exchangeOf(1))).not.toBe(lean);
});

test.each(["too-large", "too-many-events"])(
  "of a stream that ended as %s the events are kept, their long texts cut",
  (code) => {
    const event = {
      at: 1,
      bytes: 2,
      is: "result",
      json: { artifactUpdate: { taskId: "t", parts: [{ text: "x".repeat(50_000) }] } },
    };
    const reply = { is: "stream", events: [event, event], failure: { code, message: "no" } };
    const exchange = {
      ...exchangeOf(1_000_000),
      transport: { sent: new Uint8Array(), received: new Uint8Array(1_000_000) },
      failure: { code, message: "no" },
    };
    const call = { operation: "SendStreamingMessage", exchange, reply, said: reply } as unknown as Call;
    const kept = new LeanCalls().of(call, call.exchange);
    expect(kept.exchange.http.response!.body.length).toBe(64 * 1024);
    expect(kept.reply).toEqual({
      ...reply,
      events: Array.from({ length: 2 }, () => ({
        ...event,
        json: { artifactUpdate: { taskId: "t", parts: [{ text: "x".repeat(1_024) }] } },
      })),
    });
  },
);
