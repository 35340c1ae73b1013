import type { JsonObject, Operation } from "@assay/protocol";
import { grpcV03 } from "@assay/protocol/grpc";
import type { GrpcPeer } from "../../fixtures/grpc.fixture.ts";
import type { OlderPeer, Told } from "./peer.fixture.ts";
import { checked, defined, proto, type Shape } from "./spelling.fixture.ts";

export function overGrpc(peer: GrpcPeer, name = "0.3 gRPC"): OlderPeer {
  const family = proto("camel");
  const wire = "0.3-proto";
  const call = async (operation: Operation, request: object, meta?: Record<string, string>): Promise<Shape> =>
    checked(wire, operation, await peer.ask<JsonObject>(operation, request, meta ? { meta } : {}));
  async function follow(operation: Operation, request: object, take = Number.POSITIVE_INFINITY): Promise<Told[]> {
    const events: Told[] = [];
    const stream = peer.open<JsonObject>(operation, request);
    try {
      for await (const event of stream) {
        events.push(family.told(checked(wire, operation, event as JsonObject)));
        if (events.length >= take) stream.cancel();
      }
    } catch (error) {
      if (events.length < take) throw error;
    }
    return events;
  }
  const task = (id: string) => `tasks/${id}`;
  const hookName = (taskId: string, id = taskId) => `${task(taskId)}/pushNotificationConfigs/${id}`;
  return {
    name,
    wire,
    transport: "GRPC",
    send: async (sending) => family.told(await call("SendMessage", family.send(sending))),
    stream: (sending, take) => follow("SendStreamingMessage", family.send(sending), take),
    get: async (id, historyLength) => family.task(await call("GetTask", defined({ name: task(id), historyLength }))),
    cancel: async (id) => family.task(await call("CancelTask", { name: task(id) })),
    resubscribe: (id) => follow("SubscribeToTask", { name: task(id) }),
    setHook: async (taskId, hook) =>
      family.hookOut(await call("CreateTaskPushNotificationConfig", family.hookIn(taskId, hook))),
    getHook: async (taskId, id) =>
      family.hookOut(await call("GetTaskPushNotificationConfig", { name: hookName(taskId, id) })),
    listHooks: async (taskId) =>
      ((await call("ListTaskPushNotificationConfigs", { parent: task(taskId) }))["configs"] ?? []).map(family.hookOut),
    deleteHook: async (taskId, id) =>
      (await call("DeleteTaskPushNotificationConfig", { name: hookName(taskId, id) })) as JsonObject,
    extendedCard: async (token) =>
      (await call("GetExtendedAgentCard", {}, token === undefined ? {} : { authorization: token })) as JsonObject,
    mistake(which) {
      const path = which === "unknown-method" ? "/a2a.v1.A2AService/Frobnicate" : grpcV03.path("SendMessage")!;
      const bytes = which === "parse-error" ? Buffer.from("ffffffff", "hex") : Buffer.alloc(0);
      return new Promise((resolve, reject) => {
        peer.client.makeUnaryRequest(
          path,
          () => bytes,
          (answer: Buffer) => answer,
          {},
          peer.metadata({}),
          (error, value) => (error ? reject(error) : resolve(value)),
        );
      });
    },
  };
}
