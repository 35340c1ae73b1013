import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
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
import { checked, defined, first, kinds, type Shape } from "./spelling.fixture.ts";

const tagged: Partial<Record<Operation, string>> = {
  SendMessage: "message/send",
  SendStreamingMessage: "message/stream",
  GetTask: "tasks/get",
  CancelTask: "tasks/cancel",
  SubscribeToTask: "tasks/resubscribe",
  CreateTaskPushNotificationConfig: "tasks/pushNotificationConfig/set",
  GetTaskPushNotificationConfig: "tasks/pushNotificationConfig/get",
  ListTaskPushNotificationConfigs: "tasks/pushNotificationConfig/list",
  DeleteTaskPushNotificationConfig: "tasks/pushNotificationConfig/delete",
  GetExtendedAgentCard: "agent/getAuthenticatedExtendedCard",
};

const methods: Record<"0.3" | "0.2" | "0.1", Partial<Record<Operation, string>>> = {
  "0.3": tagged,
  "0.2": tagged,
  "0.1": {
    ...tagged,
    SendMessage: "tasks/send",
    SendStreamingMessage: "tasks/sendSubscribe",
    CreateTaskPushNotificationConfig: "tasks/pushNotification/set",
    GetTaskPushNotificationConfig: "tasks/pushNotification/get",
  },
};

const wires = { "0.3": "0.3", "0.2": "0.2.6", "0.1": "0.1" } as const;

/**
 * Reads the error of a JSON-RPC response strictly. Before 1.0, `data` is an object with the reason. A request that cannot
 * be parsed has no version, so an agent of 1.0 may return an error of 1.0 for it.
 */
function rpcRefused(answer: PlainAnswer, id: unknown): NoFromPeer {
  expect(answer).toMatchObject({ headers: { "content-type": "application/json" } });
  expectNothingInside(answer);
  const json = JSON.parse(answer.text) as { error: { code: number; data: { reason: string } } };
  if (id === null && Array.isArray(json.error.data)) json.error.data = json.error.data[0];
  expect(json).toEqual({
    jsonrpc: "2.0",
    id,
    error: {
      code: expect.any(Number),
      message: expect.stringMatching(/\S/),
      data: expect.objectContaining({ reason: expect.stringMatching(/^[A-Z_]+$/) }),
    },
  });
  const { code, data } = json.error;
  return new NoFromPeer({ http: answer.status, code, reason: data.reason }, answer);
}

export function overJsonRpc(
  version: "0.3" | "0.2" | "0.1",
  agent: () => string,
  name = `${version} JSON-RPC`,
): OlderPeer {
  const family = version === "0.1" ? first : kinds;
  const wire = wires[version];
  const posting = (body: string, more: Record<string, string> = {}): Plain => ({
    method: "POST",
    headers: { "Content-Type": "application/json", ...more },
    body,
  });
  const written = (operation: Operation, params?: JsonObject) => {
    const id = `call-${randomUUID()}`;
    return { id, body: JSON.stringify({ jsonrpc: "2.0", id, method: methods[version][operation], params }) };
  };

  async function call(operation: Operation, params?: JsonObject, headers?: Record<string, string>): Promise<Shape> {
    const { id, body } = written(operation, params);
    const answer = await plain(agent(), posting(body, headers));
    const json = JSON.parse(answer.text) as JsonObject;
    if (json["error"]) throw rpcRefused(answer, id);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(Object.keys(json)).toEqual(["jsonrpc", "id", "result"]);
    expect([json["jsonrpc"], json["id"]]).toEqual(["2.0", id]);
    return checked(wire, operation, json["result"]!);
  }

  async function follow(operation: Operation, params: JsonObject, take = Number.POSITIVE_INFINITY): Promise<Told[]> {
    const { id, body } = written(operation, params);
    const response = await open(agent(), posting(body));
    if (!isEventStream(response)) throw rpcRefused(await answerOf(response), id);
    const events: Told[] = [];
    for await (const data of serverSentData(response)) {
      const { result, ...envelope } = JSON.parse(data) as JsonObject;
      expect(envelope).toEqual({ jsonrpc: "2.0", id });
      events.push(family.told(checked(wire, "SubscribeToTask", result!)));
      if (events.length >= take) {
        response.destroy();
        break;
      }
    }
    return events;
  }

  const about = (id: string, more: object = {}) => defined({ id, ...more }) as JsonObject;
  return {
    name,
    wire,
    transport: "JSONRPC",
    send: async (sending) => family.told(await call("SendMessage", family.send(sending))),
    stream: (sending, take) => follow("SendStreamingMessage", family.send(sending), take),
    get: async (id, historyLength) => family.task(await call("GetTask", about(id, { historyLength }))),
    cancel: async (id, metadata) => family.task(await call("CancelTask", about(id, { metadata }))),
    resubscribe: (id) => follow("SubscribeToTask", about(id)),
    setHook: async (taskId, hook) =>
      family.hookOut(await call("CreateTaskPushNotificationConfig", family.hookIn(taskId, hook))),
    getHook: async (id, pushNotificationConfigId) =>
      family.hookOut(await call("GetTaskPushNotificationConfig", about(id, { pushNotificationConfigId }))),
    listHooks: async (id) =>
      ((await call("ListTaskPushNotificationConfigs", about(id))) as unknown as Shape[]).map(family.hookOut),
    deleteHook: async (id, pushNotificationConfigId) =>
      (await call("DeleteTaskPushNotificationConfig", { id, pushNotificationConfigId })) as unknown as JsonValue,
    extendedCard: async (token) =>
      (await call(
        "GetExtendedAgentCard",
        undefined,
        token === undefined ? {} : { Authorization: token },
      )) as JsonObject,
    async mistake(which) {
      if (which === "parse-error") throw rpcRefused(await plain(agent(), posting('{"jsonrpc":"2.0","id":1,')), null);
      const method = which === "unknown-method" ? "tasks/frobnicate" : methods[version].SendMessage;
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: {} });
      throw rpcRefused(await plain(agent(), posting(body)), 7);
    },
  };
}
