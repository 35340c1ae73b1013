import { startTestbed, type Testbed } from "@assay/agents";
import type {
  AgentCard,
  JsonObject,
  Operation,
  SendMessageResponse,
  TaskPushNotificationConfig,
} from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { GrpcPeer, refusalOf, useGrpcPeers, version10 } from "../fixtures/grpc.fixture.ts";
import { tryIsolation } from "../fixtures/isolation.fixture.ts";
import {
  about,
  alice,
  basic,
  bearer,
  bob,
  type Credentials,
  carol,
  hookUrl,
  secureWires,
  tasksAt,
  type Wire,
} from "../fixtures/secure-wires.fixture.ts";
import { ask, type Plain, plain, say, sending, unknownTask, useTestbed } from "../fixtures/testbed.fixture.ts";

const bed = useTestbed({ timeScale: 0.05 });
const dial = useGrpcPeers();
const grpc = dial(() => `127.0.0.1:${bed.port}`, grpcV10);
const secure = () => `${bed.url}/secure`;

const schemes: Record<string, (name: string) => Credentials> = {
  "an API key": (name) => ({ "X-API-Key": `${name}-key` }),
  Basic: (name) => ({ Authorization: basic(`${name}:${name}-password`) }),
  Bearer: bearer,
};

const wires = secureWires(secure, grpc);
const everyWire = wires.map((wire) => ({ wire, name: wire.name }));

const operationsOf = ({ lacks = [] }: Wire): [Operation, JsonObject][] =>
  (
    [
      ...about(unknownTask),
      ["SendMessage", { message: { ...say("message-only hi") } as unknown as JsonObject }],
      ["SendStreamingMessage", { message: { ...say("message-only hi") } as unknown as JsonObject }],
      ["ListTasks", {}],
      ["GetExtendedAgentCard", {}],
    ] as [Operation, JsonObject][]
  ).filter(([operation]) => !lacks.includes(operation));

const taskOf = tasksAt(secure);

describe("the card", () => {
  test("is public, and says by which schemes one gets in", async () => {
    for (const path of ["/.well-known/agent-card.json", ""]) {
      const answer = await plain(`${secure()}${path}`);
      expect(answer.status).toBe(200);
      const card = JSON.parse(answer.text) as AgentCard;
      expect(card.securitySchemes).toMatchObject({
        apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } },
        basic: { httpAuthSecurityScheme: { scheme: "Basic" } },
        bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
      });
      // Any one of them will do.
      const scoped = { list: ["tasks:read", "tasks:write"] };
      expect(card.securityRequirements).toEqual([
        ...["apiKey", "basic", "bearer", "jwt"].map((name) => ({ schemes: { [name]: {} } })),
        ...["clientCredentials", "authorizationCode", "openId"].map((name) => ({ schemes: { [name]: scoped } })),
      ]);
    }
  });

  test("is the same for those who have credentials, and for those whose are wrong", async () => {
    const read = (headers: Credentials) => plain(`${secure()}/.well-known/agent-card.json`, { headers });
    const { text } = await read({});
    for (const headers of [alice, bearer("mallory")]) expect((await read(headers)).text).toBe(text);
  });

  test("has an extended form, which shows one skill more", async () => {
    const open10 = JSON.parse((await plain(`${secure()}/.well-known/agent-card.json`)).text) as AgentCard;
    const extended = await ask(secure(), "JSONRPC", "GetExtendedAgentCard", {}, alice);
    expect(extended.skills.map(({ id }) => id)).toEqual([...open10.skills.map(({ id }) => id), "admin-status"]);
  });
});

describe.each(everyWire)("$name", ({ wire }) => {
  describe.each(Object.entries(schemes))("%s", (_scheme, credentials) => {
    test.each(["alice", "bob", "carol"])("lets %s in", async (name) => {
      const request = { message: say("message-only hi") as unknown as JsonObject };
      expect((await wire.ask("SendMessage", request, credentials(name))).verdict).toBe(wire.served);
    });

    test("accepts no other credentials", async () => {
      for (const name of ["mallory", "", "Alice", "alice "]) {
        const { verdict } = await wire.ask("GetTask", { id: unknownTask }, credentials(name));
        expect([name, verdict]).toEqual([name, wire.refused["401"]]);
      }
    });
  });

  test.each<[string, Credentials]>([
    ["nothing", {}],
    ["an empty header", { Authorization: "" }],
    ["a scheme without a value", { Authorization: "Bearer" }],
    ["a value without a scheme", { Authorization: "alice-token" }],
    ["a token of the wrong case", { Authorization: "Bearer ALICE-TOKEN" }],
    ["a token under another scheme", { Authorization: "Basic alice-token" }],
    ["a password as a token", { Authorization: "Bearer alice-password" }],
    ["a scheme nobody has", { Authorization: "Digest alice-token" }],
    ["a pair that is no base64", { Authorization: "Basic alice:alice-password" }],
    ["a password of somebody else", { Authorization: basic("alice:bob-password") }],
    ["a name alone", { Authorization: basic("alice") }],
    ["a password with something behind it", { Authorization: basic("alice:alice-password ") }],
    ["a token as an API key", { "X-API-Key": "alice-token" }],
    ["a good key beside a bad token", { Authorization: "Bearer wrong", "X-API-Key": "alice-key" }],
  ])("with %s every operation is refused, and HTTP says how to do better", async (_name, credentials) => {
    const isToken = /^Bearer \S/.test(credentials["Authorization"] ?? "");
    for (const [operation, request] of operationsOf(wire)) {
      const { verdict, challenge } = await wire.ask(operation, request, credentials);
      expect([operation, verdict]).toEqual([operation, wire.refused["401"]]);
      if (!wire.name.startsWith("gRPC"))
        expect(challenge).toBe(
          `Bearer realm="secure"${isToken ? ', error="invalid_token"' : ""}, Basic realm="secure", ApiKey realm="secure"`,
        );
    }
  });

  test("schemes are spelled in any case, and are one person", async () => {
    const { id } = await taskOf(alice, "task-lifecycle x");
    for (const credentials of [
      { Authorization: "bearer alice-token" },
      { Authorization: "BEARER alice-token" },
      { Authorization: basic("alice:alice-password").replace("Basic", "bAsIc") },
      { "X-API-Key": "alice-key" },
      { "x-api-key": "alice-key" },
    ]) {
      expect((await wire.ask("GetTask", { id }, credentials)).verdict).toBe(wire.served);
    }
  });

  describe("carol", () => {
    const forbidden: readonly Operation[] = [
      "CancelTask",
      "CreateTaskPushNotificationConfig",
      "DeleteTaskPushNotificationConfig",
      "GetExtendedAgentCard",
    ];

    test("may not use four operations, whatever they are about", async () => {
      const { id } = await taskOf(carol, "multi-turn x");
      const theirs = await taskOf(alice, "multi-turn x");
      for (const [operation, request] of [id, theirs.id, unknownTask].flatMap(about)) {
        if (!forbidden.includes(operation)) continue;
        const { verdict, challenge } = await wire.ask(operation, request, carol);
        expect([operation, verdict]).toEqual([operation, wire.refused["403"]]);
        if (!wire.name.startsWith("gRPC")) expect(challenge).toContain('error="insufficient_scope", scope="');
        // Who she is was never in question, and no better key is to be had: there is nothing to ask her for.
        const byKey = await wire.ask(operation, request, schemes["an API key"]!("carol"));
        expect([byKey.verdict, byKey.challenge]).toEqual([wire.refused["403"], undefined]);
      }
      expect((await wire.ask("GetExtendedAgentCard", {}, carol)).verdict).toBe(wire.refused["403"]);
      expect((await ask(secure(), "JSONRPC", "GetTask", { id }, carol)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    });

    test("may use all others, on her own tasks", async () => {
      const { id } = await taskOf(carol, "multi-turn x");
      const allowed = about(id).filter(
        ([operation]) => !forbidden.includes(operation) && operation !== "GetTaskPushNotificationConfig",
      );
      for (const [operation, request] of allowed) {
        // Of the two that say "done" only the first finds the task open; the second is refused for that, not for who asks.
        const { verdict } = await wire.ask(operation, request, carol);
        if (operation === "SendStreamingMessage") expect(verdict).not.toMatch(/401|403|^7|^16/);
        else expect([operation, verdict]).toEqual([operation, wire.served]);
      }
    });
  });
});

describe("a caller cannot reach another caller's tasks, in memory", () => {
  tryIsolation(bed);
});

describe("who is asking is settled before anything else", () => {
  const unauthenticated = async (path: string, request: Plain) => {
    const { status, headers } = await plain(`${bed.url}/secure${path}`, request);
    return [status, headers["www-authenticate"] !== undefined];
  };
  const post = (body: string, headers: Record<string, string> = { "Content-Type": "application/json" }): Plain => ({
    method: "POST",
    headers,
    body,
  });

  test.each<[string, string, Plain]>([
    ["a body that is no JSON", "", post("{")],
    ["an empty body", "", post("")],
    ["no call", "", post("[]")],
    ["another media type", "", post("x", { "Content-Type": "text/plain" })],
    ["an unknown method", "", post('{"jsonrpc":"2.0","id":1,"method":"Frobnicate"}')],
    [
      "an unknown version",
      "",
      post('{"jsonrpc":"2.0","id":1,"method":"GetTask"}', { "Content-Type": "application/json", "A2A-Version": "9.9" }),
    ],
    ["parameters that break the schema", "", post('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":1}}')],
    ["a route that is not there", "/frobnicate", {}],
    ["a verb that is not allowed", "/message:send", { method: "DELETE" }],
    ["a tenant that is not there", "/west/tasks", {}],
    ["a broken percent-encoding", "/tasks/%zz", {}],
    ["a missing version", "/tasks", {}],
    ["a body that is no JSON, over HTTP+JSON", "/message:send", post("{")],
    ["a route of 0.3 that is not there", "/v1/frobnicate", {}],
    ["a body that is no JSON, over HTTP+JSON of 0.3", "/v1/message:send", post("{")],
    ["a body beyond the limit", "", post("x".repeat(11 * 1024 * 1024))],
  ])("%s", async (_name, path, request) => {
    expect(await unauthenticated(path, request)).toEqual([401, true]);
  });

  describe("over gRPC, at the port of the agent", () => {
    let many: Testbed;
    let own: GrpcPeer;
    beforeAll(async () => {
      const grpcPort = await freePort(12);
      many = await startTestbed({ host: "127.0.0.1", port: 0, version: "0", timeScale: 0.1, grpcPort });
      const index = many.agents.findIndex(({ path }) => path === "secure");
      own = new GrpcPeer(`127.0.0.1:${grpcPort + index}`, grpcV10);
    });
    afterAll(async () => {
      own.close();
      await many.close(500);
    });
    const raw = (path: string, bytes: Buffer, meta: Record<string, string> = {}) =>
      new Promise((resolve, reject) => {
        own.client.makeUnaryRequest(
          path,
          () => bytes,
          (answer: Buffer) => answer,
          {},
          own.metadata(meta),
          (error, value) => (error ? reject(error) : resolve(value)),
        );
      });
    const refused = { status: "UNAUTHENTICATED", reason: "UNAUTHENTICATED" };

    test.each<[string, string, string, Record<string, string>]>([
      ["bytes that are no protobuf", "GetTask", "ffffffff", version10],
      ["a missing version", "GetTask", "", {}],
      ["a call that is not there", "Frobnicate", "", version10],
      ["a request that breaks the schema", "GetTask", "", version10],
    ])("%s", async (_name, method, hex, meta) => {
      const work = raw(`/lf.a2a.v1.A2AService/${method}`, Buffer.from(hex, "hex"), meta);
      expect(await refusalOf(work)).toEqual(refused);
    });

    test("with credentials it is served, without a tenant", async () => {
      const { task } = await own.ask<SendMessageResponse>("SendMessage", sending("task-lifecycle x"), {
        meta: { ...version10, authorization: "Bearer alice-token" },
      });
      const read = (meta: Record<string, string>) =>
        own.call("GetTask", { id: task!.id }, { meta: { ...version10, ...meta } });
      expect((await read({ "x-api-key": "alice-key" })).value).toMatchObject({ id: task!.id });
      expect(await refusalOf(read({ "x-api-key": "bob-key" }))).toEqual({
        status: "NOT_FOUND",
        reason: "TASK_NOT_FOUND",
      });
      expect(await refusalOf(read({}))).toEqual(refused);
    });
  });
});

test("push notifications of a task go to its owner's webhook, and he alone can point them elsewhere", async () => {
  const hers = await taskOf(alice, "multi-turn x");
  const made = await ask(
    secure(),
    "JSONRPC",
    "CreateTaskPushNotificationConfig",
    { taskId: hers.id, id: "same", url: hookUrl },
    alice,
  );
  const his = await taskOf(bob, "multi-turn x");
  const other: TaskPushNotificationConfig = { taskId: his.id, id: "same", url: "http://127.0.0.1:9/his" };
  await ask(secure(), "JSONRPC", "CreateTaskPushNotificationConfig", other, bob);
  expect(
    await ask(secure(), "JSONRPC", "GetTaskPushNotificationConfig", { taskId: hers.id, id: "same" }, alice),
  ).toEqual(made);
  await ask(secure(), "JSONRPC", "DeleteTaskPushNotificationConfig", { taskId: his.id, id: "same" }, bob);
  const { configs } = await ask(secure(), "JSONRPC", "ListTaskPushNotificationConfigs", { taskId: hers.id }, alice);
  expect(configs).toEqual([made]);
});

test("the agents beside it require no credentials, and ignore those they get", async () => {
  for (const headers of [{}, alice, bearer("mallory")]) {
    const { totalSize } = await ask(`${bed.url}/echo`, "JSONRPC", "ListTasks", {}, headers);
    expect(totalSize).toBe(0);
  }
  const { id } = await taskOf(alice, "task-lifecycle x");
  const answer = await plain(`${bed.url}/spec/tasks/${id}`, { headers: { "A2A-Version": "1.0", ...alice } });
  expect(answer.status).toBe(404);
});
