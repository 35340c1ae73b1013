import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { operationPlans } from "./operations.ts";
import type { RecordedCall } from "./traffic/read-exchange.ts";
import { translateAll } from "./traffic/translate.ts";

const sent = (id: string, metadata: JsonObject): RecordedCall => {
  const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }], metadata };
  return {
    id,
    operation: "SendMessage",
    dialect: "0.3",
    binding: "JSONRPC",
    request: {
      verb: "POST",
      path: "/",
      base: "",
      params: { message },
      body: { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } },
    },
    response: {
      status: 200,
      body: {
        jsonrpc: "2.0",
        id: 1,
        result: { kind: "task", id: "t1", contextId: "c1", status: { state: "working" } },
      },
    },
  };
};

test("of calls that show the same changes, the plan shows the one with the shortest request", () => {
  const calls = translateAll([sent("x1", { "https://a.example/probe": { list: [1, 2, 3] } }), sent("x2", {})]);
  const [plan] = operationPlans(calls, [{ url: "http://a.example/", binding: "JSONRPC", dialect: "0.3" }], "0.3");
  expect(plan!.samples.map(({ exchange }) => exchange)).toEqual(["x2"]);
});

test("of streams that show the same changes, the plan shows one that reaches the end of its task", () => {
  const streamed = (id: string, states: readonly string[]): RecordedCall => {
    const events = states.map((state, index) => {
      const status = { taskId: id, contextId: "c1", status: { state }, kind: "status-update", final: false };
      return {
        jsonrpc: "2.0",
        id: 1,
        result: index === 0 ? { kind: "task", id, contextId: "c1", status: { state } } : status,
      };
    });
    return { ...sent(id, {}), id, operation: "SendStreamingMessage", response: { status: 200, events } };
  };
  const calls = translateAll([streamed("cut", ["submitted", "working"]), streamed("whole", ["working", "completed"])]);
  const on = [{ url: "http://a.example/", binding: "JSONRPC", dialect: "0.3" }] as const;
  expect(planFor("SendStreamingMessage", calls, on, "0.3").samples[0]!.exchange).toBe("whole");
});

const subscribed = (verb: string, status: number): RecordedCall => ({
  id: verb,
  operation: "SubscribeToTask",
  dialect: "0.3",
  binding: "HTTP+JSON",
  request: { verb, path: "/v1/tasks/t1:subscribe", base: "", params: { id: "t1", name: "tasks/t1" } },
  response:
    status === 200
      ? { status, events: [{ task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } } }] }
      : { status, body: { code: 5, message: "unknown task", details: [] } },
});

const rest = { url: "http://a.example/", binding: "HTTP+JSON", dialect: "0.3" } as const;
const planFor = (operation: string, ...rest: Parameters<typeof operationPlans>) =>
  operationPlans(...rest).find((each) => each.operation === operation)!;

test("the name of a subscription today has the method of the traffic", () => {
  const nameOf = (...calls: RecordedCall[]): string | undefined =>
    planFor("SubscribeToTask", translateAll(calls), [rest], "0.3").names[0]!.today;
  expect(nameOf()).toBe("POST /v1/tasks/{id}:subscribe");
  expect(nameOf(subscribed("GET", 200))).toBe("GET /v1/tasks/{id}:subscribe");
  expect(nameOf(subscribed("POST", 404), subscribed("GET", 200))).toBe("GET /v1/tasks/{id}:subscribe");
  expect(nameOf(subscribed("GET", 200), subscribed("POST", 200))).toBe("POST /v1/tasks/{id}:subscribe");
});

test("the text of 0.3 lists tasks over HTTP+JSON and gRPC, older texts and JSON-RPC do not", () => {
  const on = (binding: string) => ({ url: "http://a.example/", binding, dialect: "0.3" }) as const;
  const listed = planFor("ListTasks", [], [on("JSONRPC"), on("HTTP+JSON"), on("GRPC")], "0.3");
  expect(listed.names.map(({ today }) => today)).toEqual([undefined, "GET /v1/tasks", "a2a.v1.A2AService/ListTask"]);
  expect(listed.unrecorded).toContain("a2a.proto does not define it");
  const none = "defines no such operation over JSON-RPC.";
  expect(planFor("ListTasks", [], [on("JSONRPC")], "0.3").unrecorded).toContain(none);
  expect(planFor("ListTasks", [], [on("JSONRPC")], "0.2").unrecorded).toContain(none);
});

test("the plan does not advise a higher budget for an operation with unreadable responses", () => {
  const unrecorded = (called: ReadonlySet<string>) => planFor("GetTask", [], [rest], "0.3", { called }).unrecorded;
  expect(unrecorded(new Set(["SendMessage"]))).toContain("Raise --budget");
  expect(unrecorded(new Set(["GetTask"]))).not.toContain("--budget");
});
