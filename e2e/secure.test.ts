import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { startTestbed, type Testbed } from "@assay/agents";
import type {
  AgentCard,
  JsonObject,
  ListTasksResponse,
  Operation,
  SendMessageResponse,
  Task,
  TaskPushNotificationConfig,
} from "@assay/protocol";
import { grpcV10, readStatusDetails } from "@assay/protocol/grpc";
import type { ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GrpcPeer, refusalOf, useGrpcPeers, version10 } from "./grpc.case.ts";
import { ask, collect, follow, open, type Plain, plain, say, sending, useTestbed, written } from "./testbed.case.ts";

const bed = useTestbed({ timeScale: 0.05 });
const dial = useGrpcPeers();
let grpc: GrpcPeer;
beforeAll(() => {
  grpc = dial(`127.0.0.1:${bed.port}`, grpcV10);
});
const secure = () => `${bed.url}/secure`;

type Credentials = Readonly<Record<string, string>>;
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;
const bearer = (name: string): Credentials => ({ Authorization: `Bearer ${name}-token` });
const [alice, bob, carol] = [bearer("alice"), bearer("bob"), bearer("carol")];

const schemes: Record<string, (name: string) => Credentials> = {
  "an API key": (name) => ({ "X-API-Key": `${name}-key` }),
  Basic: (name) => ({ Authorization: basic(`${name}:${name}-password`) }),
  Bearer: bearer,
};

/** What JSON.parse gives: anything. */
type Loose = ReturnType<typeof JSON.parse>;

/** An answer on any wire: what was decided, and all of it in one text, to be compared byte by byte. */
interface Answer {
  readonly verdict: string;
  readonly challenge: string | undefined;
  readonly whole: string;
}

interface Wire {
  readonly name: string;
  readonly served: string;
  readonly refused: Readonly<Record<"401" | "403" | "404", string>>;
  /** the operations it has */
  readonly lacks?: readonly Operation[];
  ask(operation: Operation, request: JsonObject, credentials: Credentials): Promise<Answer>;
}

/** Headers that differ between any two answers. */
const passing = ["date", "content-length", "connection", "keep-alive"];

async function overHttp(url: string, request: Plain, credentials: Credentials, reasonIn: (json: Loose) => string) {
  const response = await open(url, { ...request, headers: { ...request.headers, ...credentials } });
  const streams = response.headers["content-type"] === "text/event-stream";
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk as string;
    if (streams) break;
  }
  if (streams) response.destroy();
  const reason = streams ? "" : reasonIn(JSON.parse(text));
  const headers = Object.entries(response.headers).filter(([name]) => !passing.includes(name));
  return {
    verdict: `${response.statusCode} ${reason}`.trim(),
    challenge: response.headers["www-authenticate"],
    whole: JSON.stringify([response.statusCode, headers, text]),
  };
}

const old = (message: Loose): JsonObject => ({
  ...message,
  kind: "message",
  role: "user",
  parts: message.parts.map((part: JsonObject) => ({ kind: "text", ...part })),
});

/** A 1.0 request as 0.3 writes it over JSON-RPC. */
function rpc03(operation: Operation, request: Loose): { method: string; params?: JsonObject } {
  const { id, taskId, url, message } = request;
  const key = { id: taskId, pushNotificationConfigId: id };
  switch (operation) {
    case "SendMessage":
      return { method: "message/send", params: { message: old(message) } };
    case "SendStreamingMessage":
      return { method: "message/stream", params: { message: old(message) } };
    case "GetTask":
      return { method: "tasks/get", params: { id } };
    case "CancelTask":
      return { method: "tasks/cancel", params: { id } };
    case "SubscribeToTask":
      return { method: "tasks/resubscribe", params: { id } };
    case "CreateTaskPushNotificationConfig":
      return { method: "tasks/pushNotificationConfig/set", params: { taskId, pushNotificationConfig: { id, url } } };
    case "GetTaskPushNotificationConfig":
      return { method: "tasks/pushNotificationConfig/get", params: key };
    case "ListTaskPushNotificationConfigs":
      return { method: "tasks/pushNotificationConfig/list", params: { id: taskId } };
    case "DeleteTaskPushNotificationConfig":
      return { method: "tasks/pushNotificationConfig/delete", params: key };
    case "GetExtendedAgentCard":
      return { method: "agent/getAuthenticatedExtendedCard" };
    case "ListTasks":
      throw new Error("0.3 has no ListTasks");
  }
}

/** The same over HTTP+JSON. */
function rest03(operation: Operation, request: Loose): { path: string; plain: Plain } {
  const { id, taskId, url, message } = request;
  const hooks = `/v1/tasks/${taskId}/pushNotificationConfigs`;
  const post = (path: string, body?: object) => ({
    path,
    plain: {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    },
  });
  const said = () => {
    const { parts, ...rest } = message;
    return { message: { ...rest, content: parts }, configuration: { blocking: true } };
  };
  switch (operation) {
    case "SendMessage":
      return post("/v1/message:send", said());
    case "SendStreamingMessage":
      return post("/v1/message:stream", said());
    case "GetTask":
      return { path: `/v1/tasks/${id}`, plain: {} };
    case "CancelTask":
      return post(`/v1/tasks/${id}:cancel`);
    case "SubscribeToTask":
      return post(`/v1/tasks/${id}:subscribe`);
    case "CreateTaskPushNotificationConfig":
      return post(hooks, {
        config: { name: `tasks/${taskId}/pushNotificationConfigs/${id}`, pushNotificationConfig: { id, url } },
      });
    case "GetTaskPushNotificationConfig":
      return { path: `${hooks}/${id}`, plain: {} };
    case "ListTaskPushNotificationConfigs":
      return { path: hooks, plain: {} };
    case "DeleteTaskPushNotificationConfig":
      return { path: `${hooks}/${id}`, plain: { method: "DELETE" } };
    case "GetExtendedAgentCard":
      return { path: "/v1/card", plain: {} };
    case "ListTasks":
      throw new Error("0.3 has no ListTasks");
  }
}

/** The metadata of gRPC spells headers in lower case. */
const metaOf = (credentials: Credentials) =>
  Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name.toLowerCase(), value]));

async function overGrpc(
  peer: GrpcPeer,
  operation: Operation,
  request: JsonObject,
  credentials: Credentials,
): Promise<Answer> {
  const meta = { ...version10, ...metaOf(credentials) };
  const isStream = operation === "SendStreamingMessage" || operation === "SubscribeToTask";
  const given = { tenant: "secure", ...request };
  try {
    if (!isStream) {
      const { value } = await peer.call(operation, given, { meta });
      return { verdict: "OK", challenge: undefined, whole: JSON.stringify(value) };
    }
    const stream = peer.open(operation, given, { meta });
    for await (const event of stream) {
      stream.on("error", () => {}).cancel();
      return { verdict: "OK", challenge: undefined, whole: JSON.stringify(event) };
    }
    return { verdict: "OK", challenge: undefined, whole: "" };
  } catch (thrown) {
    const { code, details, metadata } = thrown as ServiceError;
    const [bytes] = metadata.get("grpc-status-details-bin") as Buffer[];
    const told = bytes && readStatusDetails(bytes);
    const trailers = Object.entries(metadata.toJSON()).filter(
      ([name]) => !/^(date|grpc-status-details-bin)$/.test(name),
    );
    return {
      verdict: `${code} ${told?.details[0]?.["reason"]}`,
      challenge: undefined,
      whole: JSON.stringify([code, details, told, trailers]),
    };
  }
}

const wires: Wire[] = [
  {
    name: "JSON-RPC 1.0",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "200 TASK_NOT_FOUND" },
    ask(operation, request, credentials) {
      const sent = written(secure(), "JSONRPC", operation, request);
      return overHttp(sent.url, sent.plain, credentials, (json) => json.error?.data[0].reason ?? "");
    },
  },
  {
    name: "HTTP+JSON 1.0",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "404 TASK_NOT_FOUND" },
    ask(operation, request, credentials) {
      const sent = written(secure(), "HTTP+JSON", operation, request);
      return overHttp(sent.url, sent.plain, credentials, (json) => json.error?.details[0].reason ?? "");
    },
  },
  {
    name: "gRPC 1.0",
    served: "OK",
    refused: { "401": "16 UNAUTHENTICATED", "403": "7 PERMISSION_DENIED", "404": "5 TASK_NOT_FOUND" },
    ask: (operation, request, credentials) => overGrpc(grpc, operation, request, credentials),
  },
  {
    name: "JSON-RPC 0.3",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "200 TASK_NOT_FOUND" },
    lacks: ["ListTasks"],
    ask(operation, request, credentials) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: `call-${randomUUID()}`, ...rpc03(operation, request) });
      const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body };
      // Before the caller is known nothing else is, so that refusal has the shape of the agent's own version.
      const reason = (json: Loose) => json.error?.data.reason ?? json.error?.data[0].reason ?? "";
      return overHttp(secure(), sent, credentials, reason);
    },
  },
  {
    name: "HTTP+JSON 0.3",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "404 TASK_NOT_FOUND" },
    lacks: ["ListTasks"],
    ask(operation, request, credentials) {
      const { path, plain: sent } = rest03(operation, request);
      return overHttp(`${secure()}${path}`, sent, credentials, (json) => json.data?.reason ?? "");
    },
  },
];
const everyWire = wires.map((wire) => ({ wire, name: wire.name }));

const unknownTask = "11111111-2222-4333-8444-555555555555";
const url = "http://127.0.0.1:9/hook";

/** Everything that can be asked of one task. */
const about = (id: string): [Operation, JsonObject][] => [
  ["GetTask", { id }],
  ["CancelTask", { id }],
  ["SubscribeToTask", { id }],
  ["SendMessage", { message: { ...say("done", { taskId: id }) } as unknown as JsonObject }],
  ["SendStreamingMessage", { message: { ...say("done", { taskId: id }) } as unknown as JsonObject }],
  ["CreateTaskPushNotificationConfig", { taskId: id, id: "theirs", url }],
  ["GetTaskPushNotificationConfig", { taskId: id, id: "hers" }],
  ["ListTaskPushNotificationConfigs", { taskId: id }],
  ["DeleteTaskPushNotificationConfig", { taskId: id, id: "hers" }],
];
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

const taskOf = async (who: Credentials, text: string, more: object = {}): Promise<Task> => {
  const { task } = await ask(secure(), "JSONRPC", "SendMessage", { message: say(text, more) }, who);
  return task!;
};

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

    test("knows nobody else", async () => {
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

  describe("bob and the tasks of alice", () => {
    /** All of an answer with the ids taken out that have to differ. */
    const withoutIds = ({ verdict, whole }: Answer, id: string) => ({
      verdict,
      whole: whole.replaceAll(id, "<id>").replaceAll(/call-[0-9a-f-]{36}/g, "<call>"),
    });

    test("what is hers and what is nobody's get the same answer, to the byte", async () => {
      const hers = await taskOf(alice, "multi-turn x");
      await ask(secure(), "JSONRPC", "CreateTaskPushNotificationConfig", { taskId: hers.id, id: "hers", url }, alice);
      const [mine, nobodys] = [about(hers.id), about(unknownTask)];
      for (const [index, [operation, request]] of mine.entries()) {
        const asked = withoutIds(await wire.ask(operation, request, bob), hers.id);
        const control = withoutIds(await wire.ask(...nobodys[index]!, bob), unknownTask);
        expect([operation, asked]).toEqual([operation, control]);
        expect([operation, asked.verdict]).toEqual([operation, wire.refused["404"]]);
      }
      // And nothing of all that has left a trace with her.
      expect(await ask(secure(), "JSONRPC", "GetTask", { id: hers.id }, alice)).toEqual(hers);
      const { configs } = await ask(secure(), "JSONRPC", "ListTaskPushNotificationConfigs", { taskId: hers.id }, alice);
      expect(configs).toEqual([{ taskId: hers.id, id: "hers", url }]);
    });

    test("a finished task of hers tells him no more than one that never was", async () => {
      const hers = await taskOf(alice, "task-lifecycle x");
      for (const [index, [operation, request]] of about(hers.id).entries()) {
        const asked = withoutIds(await wire.ask(operation, request, bob), hers.id);
        const control = withoutIds(await wire.ask(...about(unknownTask)[index]!, bob), unknownTask);
        expect([operation, asked]).toEqual([operation, control]);
      }
    });

    test("her stream hears nothing of what he tries, and goes to its own end", async () => {
      const stream = follow(secure(), "JSONRPC", "SendStreamingMessage", sending("long-running go"), {
        headers: alice,
      });
      const first = await stream.next();
      const { id } = first.value!.task!;
      for (const [operation, request] of about(id)) {
        expect((await wire.ask(operation, request, bob)).verdict).toBe(wire.refused["404"]);
      }
      const rest = await collect(stream);
      expect(rest.map(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId).filter(Boolean)).toEqual(
        [1, 2, 3, 4, 5].map((n) => `step-${n}`),
      );
      expect(rest.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    });

    test("a context of the same name is another one", async () => {
      const contextId = `shared-${randomUUID()}`;
      const hers = await taskOf(alice, "multi-turn x", { contextId });
      const sent = await wire.ask(
        "SendMessage",
        { message: say("multi-turn y", { contextId }) as unknown as JsonObject },
        bob,
      );
      expect(sent.verdict).toBe(wire.served);
      const idsOf = async (who: Credentials) => {
        const { tasks, totalSize } = await ask(secure(), "JSONRPC", "ListTasks", { contextId }, who);
        expect(totalSize).toBe(tasks.length);
        return tasks.map(({ id }) => id);
      };
      expect(await idsOf(alice)).toEqual([hers.id]);
      const his = await idsOf(bob);
      expect([his.length, his.includes(hers.id)]).toEqual([1, false]);
    });
  });
});

describe.each([
  { name: "JSON-RPC", list: (query: object, who: Credentials) => ask(secure(), "JSONRPC", "ListTasks", query, who) },
  { name: "HTTP+JSON", list: (query: object, who: Credentials) => ask(secure(), "HTTP+JSON", "ListTasks", query, who) },
  {
    name: "gRPC",
    list: (query: object, who: Credentials) =>
      grpc.ask<ListTasksResponse>(
        "ListTasks",
        { tenant: "secure", ...query },
        { meta: { ...version10, ...metaOf(who) } },
      ),
  },
])("lists over $name", ({ name, list }) => {
  test("hold and count one's own tasks only, whatever the filter", async () => {
    const contextId = `counted-${name}`;
    for (let n = 0; n < 3; n++) await taskOf(alice, "task-lifecycle x", { contextId });
    await taskOf(bob, "task-lifecycle x", { contextId });
    const seen = async (query: object, who: Credentials) => {
      const { tasks, totalSize, nextPageToken } = await list(query, who);
      return [tasks.length, totalSize, nextPageToken === ""];
    };
    expect(await seen({ contextId }, alice)).toEqual([3, 3, true]);
    expect(await seen({ contextId }, bob)).toEqual([1, 1, true]);
    expect(await seen({ contextId }, carol)).toEqual([0, 0, true]);
    expect(await seen({ contextId, status: "TASK_STATE_COMPLETED", pageSize: 1 }, bob)).toEqual([1, 1, true]);
    const all = await list({ pageSize: 100 }, bob);
    const hers = new Set((await list({ pageSize: 100 }, alice)).tasks.map(({ id }) => id));
    expect(all.tasks.filter(({ id }) => hers.has(id))).toEqual([]);
  });

  test("her page token is of no use to him", async () => {
    const contextId = `paged-${name}`;
    for (const who of [alice, bob]) for (let n = 0; n < 2; n++) await taskOf(who, "task-lifecycle x", { contextId });
    const { nextPageToken: pageToken } = await list({ contextId, pageSize: 1 }, alice);
    expect((await list({ contextId, pageSize: 1, pageToken }, alice)).tasks.length).toBe(1);
    const wire = wires.find((one) => one.name.startsWith(name))!;
    const refused = await wire.ask("ListTasks", { contextId, pageSize: 1, pageToken }, bob);
    const forged = await wire.ask("ListTasks", { contextId, pageSize: 1, pageToken: "bm8.bm8" }, bob);
    expect(refused.verdict).toMatch(/INVALID_PARAMS$/);
    expect(refused.whole.replaceAll(/call-[0-9a-f-]{36}/g, "")).toBe(
      forged.whole.replaceAll(/call-[0-9a-f-]{36}/g, ""),
    );
  });
});

test("a task of hers is hers in both dialects, and in neither is it his", async () => {
  const { id } = await taskOf(alice, "task-lifecycle x");
  for (const wire of wires) {
    expect([wire.name, (await wire.ask("GetTask", { id }, alice)).verdict]).toEqual([wire.name, wire.served]);
    expect([wire.name, (await wire.ask("GetTask", { id }, bob)).verdict]).toEqual([wire.name, wire.refused["404"]]);
  }
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
      const isFree = (port: number) =>
        new Promise<boolean>((resolve) => {
          const probe = createServer();
          probe.once("error", () => resolve(false));
          probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
        });
      let grpcPort = 0;
      for (let free = false; !free; ) {
        grpcPort = 31_000 + Math.floor(Math.random() * 1_500);
        free = (await Promise.all(Array.from({ length: 12 }, (_, n) => isFree(grpcPort + n)))).every(Boolean);
      }
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
    { taskId: hers.id, id: "same", url },
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

test("the agents beside it ask nobody for credentials, and are not troubled by any", async () => {
  for (const headers of [{}, alice, bearer("mallory")]) {
    const { totalSize } = await ask(`${bed.url}/echo`, "JSONRPC", "ListTasks", {}, headers);
    expect(totalSize).toBe(0);
  }
  const { id } = await taskOf(alice, "task-lifecycle x");
  const answer = await plain(`${bed.url}/spec/tasks/${id}`, { headers: { "A2A-Version": "1.0", ...alice } });
  expect(answer.status).toBe(404);
});
