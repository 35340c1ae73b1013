import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { spoken } from "../checks/bindings/call.fixture.ts";
import { shapesOf } from "./of-call.ts";

const user = { messageId: "m", role: "ROLE_USER", parts: [{ txt: "a client's own mistake" }] };
const listed = (tasks: number): JsonObject => ({
  tasks: Array.from({ length: tasks }, (_, n) => ({
    id: `t${n}`,
    contextId: "c",
    status: { state: "TASK_STATE_COMPLETED" },
    history: [user],
  })),
  nextPageToken: "",
  pageSize: tasks,
  totalSize: tasks,
});

function shapesOfList(tasks: number) {
  const call = spoken("JSONRPC", { operation: "ListTasks" });
  const { request } = call.exchange.http;
  const headers = [...request.headers, ["A2A-Version", "1.0"]] as const;
  const exchange = { ...call.exchange, http: { ...call.exchange.http, request: { ...request, headers } } };
  return shapesOf({ ...call, exchange, reply: { is: "result", json: listed(tasks) } });
}

test("of an endless page the first tasks are looked at; the page stays whole", () => {
  const { objects, documents } = shapesOfList(1_500);
  expect(objects.filter(({ message }) => message === "Task")).toHaveLength(1_000);
  expect((documents[0]!.json as { tasks: unknown[] }).tasks).toHaveLength(1_500);
});

test("what clients said in the history is not held against the agent, in any task of a list", () => {
  const { objects, deviations } = shapesOfList(12);
  expect(objects.filter(({ path }) => path.includes(".history"))).toEqual([]);
  expect(deviations).toEqual([]);
});
