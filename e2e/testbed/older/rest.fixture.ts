import type { JsonObject, Operation } from "@assay/protocol";
import { expect } from "vitest";
import {
  answerOf,
  isEventStream,
  open,
  type Plain,
  type PlainAnswer,
  plain,
  serverSentData,
} from "../../fixtures/testbed.fixture.ts";
import type { OlderPeer, Told } from "./peer.fixture.ts";
import { expectNothingInside, NoFromPeer } from "./refusals.fixture.ts";
import { checked, proto, type Shape, type Spelling } from "./spelling.fixture.ts";

function restRefused(answer: PlainAnswer): NoFromPeer {
  expect(answer).toMatchObject({ headers: { "content-type": "application/json" } });
  expectNothingInside(answer);
  const json = JSON.parse(answer.text) as { code: number; data: { reason: string } };
  expect(json).toEqual({
    code: expect.any(Number),
    message: expect.stringMatching(/\S/),
    data: expect.objectContaining({ reason: expect.stringMatching(/^[A-Z_]+$/) }),
  });
  return new NoFromPeer({ http: answer.status, code: json.code, reason: json.data.reason }, answer);
}

export function overRest(agent: () => string, spelling: Spelling, name: string): OlderPeer {
  const family = proto(spelling);
  const wire = "0.3-proto";
  const asking = (method: string, body?: JsonObject): Plain => ({
    method,
    ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}),
  });

  async function call(operation: Operation, path: string, request: Plain): Promise<Shape> {
    const answer = await plain(`${agent()}/v1${path}`, request);
    if (answer.status >= 400) throw restRefused(answer);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    return checked(wire, operation, JSON.parse(answer.text) as JsonObject);
  }

  async function follow(path: string, request: Plain, take = Number.POSITIVE_INFINITY): Promise<Told[]> {
    const response = await open(`${agent()}/v1${path}`, request);
    if (!isEventStream(response)) throw restRefused(await answerOf(response));
    const events: Told[] = [];
    for await (const data of serverSentData(response)) {
      events.push(family.told(checked(wire, "SubscribeToTask", JSON.parse(data) as JsonObject)));
      if (events.length >= take) {
        response.destroy();
        break;
      }
    }
    return events;
  }

  const hooks = (taskId: string) => `/tasks/${taskId}/pushNotificationConfigs`;
  const lengthName = spelling === "snake" ? "history_length" : "historyLength";
  return {
    name,
    wire,
    transport: "HTTP+JSON",
    send: async (sending) =>
      family.told(await call("SendMessage", "/message:send", asking("POST", family.send(sending)))),
    stream: (sending, take) => follow("/message:stream", asking("POST", family.send(sending)), take),
    get: async (id, length) => {
      const query = length === undefined ? "" : `?${lengthName}=${length}`;
      return family.task(await call("GetTask", `/tasks/${id}${query}`, asking("GET")));
    },
    cancel: async (id) => family.task(await call("CancelTask", `/tasks/${id}:cancel`, asking("POST"))),
    // The text says POST and the proto GET. Each spelling uses one of them.
    resubscribe: (id) => follow(`/tasks/${id}:subscribe`, asking(spelling === "snake" ? "GET" : "POST")),
    setHook: async (taskId, hook) =>
      family.hookOut(
        await call("CreateTaskPushNotificationConfig", hooks(taskId), asking("POST", family.hookIn(taskId, hook))),
      ),
    getHook: async (taskId, id = taskId) =>
      family.hookOut(await call("GetTaskPushNotificationConfig", `${hooks(taskId)}/${id}`, asking("GET"))),
    listHooks: async (taskId) =>
      ((await call("ListTaskPushNotificationConfigs", hooks(taskId), asking("GET")))["configs"] ?? []).map(
        family.hookOut,
      ),
    deleteHook: async (taskId, id) =>
      (await call("DeleteTaskPushNotificationConfig", `${hooks(taskId)}/${id}`, asking("DELETE"))) as JsonObject,
    extendedCard: async (token) =>
      (await call("GetExtendedAgentCard", "/card", {
        headers: token === undefined ? {} : { Authorization: token },
      })) as JsonObject,
    async mistake(which) {
      if (which === "unknown-method") throw restRefused(await plain(`${agent()}/v1/frobnicate`));
      const body = which === "parse-error" ? '{"message":' : "{}";
      const headers = { "Content-Type": "application/json" };
      throw restRefused(await plain(`${agent()}/v1/message:send`, { method: "POST", headers, body }));
    },
  };
}
