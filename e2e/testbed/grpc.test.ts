import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { gzipSync } from "node:zlib";
import { startTestbed, type Testbed } from "@assay/agents";
import {
  type AgentCard,
  type ListTasksResponse,
  type Operation,
  operations,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  validate,
} from "@assay/protocol";
import { grpcV03, grpcV10, readStatusDetails } from "@assay/protocol/grpc";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "../../packages/protocol/src/generated/proto/grpc/reflection/v1/reflection_pb.ts";
import { expectedOf } from "../fixtures/expected.fixture.ts";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { type Calling, GrpcPeer, refusalOf, useGrpcPeers, version10 } from "../fixtures/grpc.fixture.ts";
import {
  agentMessage,
  anId,
  ask,
  aTimestamp,
  bindings,
  expectNormalService,
  plain,
  say,
  sending,
  unknownTask,
  until,
  useTestbed,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed({ timeScale: 0.1 });
/** Streams a chunk every 100 ms, for longer than a test takes. */
const endless = "chunks 1000 10 1000";
const dial = useGrpcPeers();
const target = () => `127.0.0.1:${bed.port}`;
let spec: GrpcPeer;
beforeAll(() => {
  spec = dial(target(), grpcV10);
});

const full = (request: object) => ({ tenant: "full", ...request });

/** Sends for a task, over gRPC, and holds it against the schema. */
async function taskFrom(peer: GrpcPeer, request: object): Promise<Task> {
  const { task } = await peer.ask<SendMessageResponse>("SendMessage", request);
  expect(validate("Task", task)).toEqual([]);
  return task!;
}

async function eventsOf(
  peer: GrpcPeer,
  operation: Operation,
  request: object,
  more?: Calling,
): Promise<StreamResponse[]> {
  const events = await peer.open<StreamResponse>(operation, request, more).toArray();
  for (const event of events) expect(validate("StreamResponse", event)).toEqual([]);
  return events as StreamResponse[];
}

const { statusUpdate, lifecycleTask } = expectedOf();

describe("the eleven operations", () => {
  test("SendMessage: a message, in the context of the question", async () => {
    const message = say("message-only hi", { contextId: "my-context" });
    expect(await spec.ask("SendMessage", { message })).toEqual({
      message: agentMessage("[message-only] You said: message-only hi", { contextId: "my-context" }),
    });
  });

  test("SendMessage and GetTask: a task, the same over every binding, its history as long as asked for", async () => {
    const task = await taskFrom(spec, sending("task-lifecycle it"));
    expect(task).toEqual(lifecycleTask(task, "task-lifecycle it"));
    const { history: _, ...withoutHistory } = task;
    expect(await spec.ask("GetTask", { id: task.id })).toEqual(task);
    expect(await spec.ask("GetTask", { id: task.id, historyLength: 0 })).toEqual(withoutHistory);
    expect(await spec.ask("GetTask", { id: task.id, historyLength: 1 })).toEqual(task);
    for (const binding of bindings) {
      expect(await ask(`${bed.url}/spec`, binding, "GetTask", { id: task.id })).toEqual(task);
    }
  });

  test("SendMessage: every kind of content, both ways", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7"/></svg>';
    const { artifacts, history } = await taskFrom(spec, {
      message: say("data-types all", {
        parts: [
          { text: "data-types all", metadata: { n: 1.5, deep: { list: [null, true, "x"] } } },
          { data: { a: [1, -2.5, { b: null }] } },
          { data: null },
          { data: [1, "two"] },
          { raw: "AAEC/w==", filename: "b.bin", mediaType: "application/octet-stream" },
          { url: "https://example.com/x.png", mediaType: "image/png" },
        ],
      }),
      metadata: { trace: "t-1" },
    });
    expect(artifacts?.map(({ name, parts }) => [name, parts])).toEqual([
      ["text", [{ text: "[data-types] Plain text" }]],
      [
        "data",
        [
          {
            data: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } },
            mediaType: "application/json",
          },
        ],
      ],
      ["file", [{ raw: Buffer.from(svg).toString("base64"), filename: "test.svg", mediaType: "image/svg+xml" }]],
      ["mixed", [{ text: "[data-types] Text beside data" }, { data: { beside: "text" } }]],
    ]);
    expect(history?.[0]?.parts).toEqual([
      { text: "data-types all", metadata: { n: 1.5, deep: { list: [null, true, "x"] } } },
      { data: { a: [1, -2.5, { b: null }] } },
      { data: null },
      { data: [1, "two"] },
      { raw: "AAEC/w==", filename: "b.bin", mediaType: "application/octet-stream" },
      { url: "https://example.com/x.png", mediaType: "image/png" },
    ]);
  });

  test("SendMessage: follow-ups keep task and context until it is done", async () => {
    const first = await taskFrom(spec, sending("multi-turn start"));
    const follow = (text: string) => taskFrom(spec, { message: say(text, { taskId: first.id }) });
    const second = await follow("blue");
    const third = await follow("and we are done");
    expect([first, second, third].map(({ id, contextId, status }) => [id, contextId, status.state])).toEqual([
      [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
      [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
      [first.id, first.contextId, "TASK_STATE_COMPLETED"],
    ]);
    expect(third.artifacts).toEqual([
      { artifactId: "final", name: "final", parts: [{ text: "[multi-turn] Finished after 3 messages." }] },
    ]);
  });

  test("SendStreamingMessage: the task, working, four chunks, completed, then OK", async () => {
    const events = await eventsOf(spec, "SendStreamingMessage", sending("streaming hi"));
    const task = events[0]!.task!;
    const chunk = (n: number, flags: object) => ({
      artifactUpdate: {
        taskId: task.id,
        contextId: task.contextId,
        artifact: {
          artifactId: "stream-result",
          name: "stream-result",
          parts: [{ text: `[streaming] Chunk ${n}: streaming hi\n` }],
        },
        ...flags,
      },
    });
    expect(events).toEqual([
      { task: expect.objectContaining({ status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp } }) },
      statusUpdate(task, "TASK_STATE_WORKING", "[streaming] Starting streamed response..."),
      chunk(1, {}),
      chunk(2, { append: true }),
      chunk(3, { append: true }),
      chunk(4, { append: true, lastChunk: true }),
      statusUpdate(task, "TASK_STATE_COMPLETED"),
    ]);
  });

  test("SendStreamingMessage: a message is the whole stream", async () => {
    expect(await eventsOf(spec, "SendStreamingMessage", sending("message-only hi"))).toEqual([
      { message: agentMessage("[message-only] You said: message-only hi") },
    ]);
  });

  test("SendStreamingMessage: events arrive when they happen, not at the end", async () => {
    const events: StreamResponse[] = [];
    for await (const event of spec.open<StreamResponse>("SendStreamingMessage", sending(endless))) {
      // Held back to the end, it would never come: only this cancellation ends the task.
      if ((event as StreamResponse).artifactUpdate) await spec.ask("CancelTask", { id: events[0]!.task!.id });
      events.push(event as StreamResponse);
    }
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  });

  test("ListTasks: page by page, filtered, with and without artifacts", async () => {
    const contextId = "grpc-list";
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.push((await taskFrom(spec, { message: say("task-lifecycle x", { contextId }) })).id);
    const list = (more: object) => spec.ask<ListTasksResponse>("ListTasks", { contextId, ...more });
    const one = await list({ pageSize: 2 });
    expect(validate("ListTasksResponse", one)).toEqual([]);
    expect([one.tasks.length, one.pageSize, one.totalSize, one.nextPageToken === ""]).toEqual([2, 2, 3, false]);
    const two = await list({ pageSize: 2, pageToken: one.nextPageToken });
    expect([two.tasks.length, two.pageSize, two.totalSize, two.nextPageToken]).toEqual([1, 2, 3, ""]);
    expect([...one.tasks, ...two.tasks].map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(one.tasks.map(({ artifacts }) => artifacts)).toEqual([undefined, undefined]);
    const whole = await list({ includeArtifacts: true, status: "TASK_STATE_COMPLETED", historyLength: 0 });
    expect(whole.tasks.map(({ artifacts, history }) => [artifacts?.length, history])).toEqual(
      ids.map(() => [1, undefined]),
    );
    expect(await list({ status: "TASK_STATE_FAILED" })).toEqual({
      tasks: [],
      nextPageToken: "",
      pageSize: 50,
      totalSize: 0,
    });
    expect((await list({ statusTimestampAfter: "2999-01-01T00:00:00Z" })).totalSize).toBe(0);
  });

  test("CancelTask: canceled for good, and the metadata comes back", async () => {
    const started = await taskFrom(spec, sending("task-cancel go", { returnImmediately: true }));
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
    const metadata = { reason: "changed my mind", requestedBy: "grpc" };
    const canceled = await spec.ask<Task>("CancelTask", { id: started.id, metadata });
    expect([canceled.id, canceled.status, canceled.metadata]).toEqual([
      started.id,
      {
        state: "TASK_STATE_CANCELED",
        timestamp: aTimestamp,
        message: agentMessage("[task-cancel] Canceled on request.", {
          taskId: started.id,
          contextId: started.contextId!,
        }),
      },
      metadata,
    ]);
    expect(await spec.ask("GetTask", { id: started.id })).toEqual(canceled);
  });

  test("SubscribeToTask: the task as it is, then what happens to it, then OK", async () => {
    const started = await taskFrom(spec, sending("long-running go", { returnImmediately: true }));
    const events = await eventsOf(spec, "SubscribeToTask", { id: started.id });
    expect(events[0]?.task?.id).toBe(started.id);
    expect(events.at(-1)).toEqual(statusUpdate(started, "TASK_STATE_COMPLETED", "[long-running] All steps done."));
    const done = (events[0]?.task?.artifacts ?? []).map(({ artifactId }) => artifactId);
    const told = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId ?? []);
    expect([...done, ...told]).toEqual([1, 2, 3, 4, 5].map((n) => `step-${n}`));
  });

  test("the four of push notifications: created, read, listed, deleted", async () => {
    const { id: taskId } = await taskFrom(spec, full(sending("multi-turn x")));
    const given = {
      taskId,
      url: "http://127.0.0.1:9/hook",
      token: "t",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    const made = await spec.ask<TaskPushNotificationConfig>("CreateTaskPushNotificationConfig", full(given));
    expect(made).toEqual({ ...given, id: anId });
    const key = full({ taskId, id: made.id });
    const { token: _token, ...shown } = { ...made, authentication: { scheme: "Bearer" } };
    expect(await spec.ask("GetTaskPushNotificationConfig", key)).toEqual(shown);
    expect(await spec.ask("ListTaskPushNotificationConfigs", full({ taskId }))).toEqual({ configs: [shown] });
    expect(await spec.ask("DeleteTaskPushNotificationConfig", key)).toEqual({});
    expect(await spec.ask("ListTaskPushNotificationConfigs", full({ taskId }))).toEqual({});
    expect(await spec.refusal("GetTaskPushNotificationConfig", key)).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test("GetExtendedAgentCard: with the token of the metadata, and only with it", async () => {
    const meta = { ...version10, authorization: "Bearer agentbin-test-token" };
    const card = await spec.ask<AgentCard>("GetExtendedAgentCard", {}, { meta });
    expect(validate("AgentCard", card)).toEqual([]);
    expect([card.skills.length, card.skills.at(-1)?.id]).toEqual([9, "admin-status"]);
    const unauthenticated = { status: "UNAUTHENTICATED", reason: "UNAUTHENTICATED" };
    expect(await spec.refusal("GetExtendedAgentCard", {})).toEqual(unauthenticated);
    const wrong = { ...version10, authorization: "Bearer wrong" };
    expect(await spec.refusal("GetExtendedAgentCard", {}, { meta: wrong })).toEqual(unauthenticated);
  });
});

describe("errors carry their status, and an ErrorInfo in the trailers", () => {
  test.each<Operation>(["GetTask", "CancelTask", "SubscribeToTask"])("%s of an unknown task", async (operation) => {
    expect(await spec.refusal(operation, { id: unknownTask })).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test.each<Operation>(["SendMessage", "SendStreamingMessage"])("%s to an unknown task", async (operation) => {
    expect(await spec.refusal(operation, { message: say("x", { taskId: unknownTask }) })).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test("a finished task: cancel, send, stream, subscribe", async () => {
    const { id } = await taskFrom(spec, sending("task-lifecycle x"));
    const unsupported = { status: "FAILED_PRECONDITION", reason: "UNSUPPORTED_OPERATION" };
    expect(await spec.refusal("CancelTask", { id })).toEqual({
      status: "FAILED_PRECONDITION",
      reason: "TASK_NOT_CANCELABLE",
    });
    expect(await spec.refusal("SendMessage", { message: say("again", { taskId: id }) })).toEqual(unsupported);
    expect(await spec.refusal("SendStreamingMessage", { message: say("x", { taskId: id }) })).toEqual(unsupported);
    expect(await spec.refusal("SubscribeToTask", { id })).toEqual(unsupported);
  });

  test.each([
    ["internal-error", "INTERNAL_ERROR"],
    ["invalid-response", "INVALID_AGENT_RESPONSE"],
  ])("an agent that breaks down: %s", async (text, reason) => {
    for (const operation of ["SendMessage", "SendStreamingMessage"] as const)
      expect(await spec.refusal(operation, sending(text))).toEqual({ status: "INTERNAL", reason });
  });

  test("push notifications, which /spec does not offer", async () => {
    const { id: taskId } = await taskFrom(spec, sending("task-lifecycle x"));
    const refused = { status: "FAILED_PRECONDITION", reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" };
    const given = { taskId, id: "c", url: "http://127.0.0.1:9/hook" };
    for (const operation of [
      "CreateTaskPushNotificationConfig",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfigs",
      "DeleteTaskPushNotificationConfig",
    ] as const) {
      expect([operation, await spec.refusal(operation, given)]).toEqual([operation, refused]);
    }
  });

  test("streams and extended cards of agents that have none", async () => {
    const unsupported = { status: "FAILED_PRECONDITION", reason: "UNSUPPORTED_OPERATION" };
    expect(await spec.refusal("SendStreamingMessage", { tenant: "echo", ...sending("x") })).toEqual(unsupported);
    expect(await spec.refusal("SubscribeToTask", { tenant: "echo", id: unknownTask })).toEqual(unsupported);
    expect(await spec.refusal("GetExtendedAgentCard", { tenant: "minimal" })).toEqual(unsupported);
  });

  test.each<[string, Operation, object, string[]]>([
    ["a request without its message", "SendMessage", {}, ["message"]],
    [
      "a message without an id",
      "SendMessage",
      { message: { role: "ROLE_USER", parts: [{ text: "x" }] } },
      ["message.messageId"],
    ],
    [
      "a message without a role",
      "SendMessage",
      { message: { messageId: "m", parts: [{ text: "x" }] } },
      ["message.role"],
    ],
    ["a message without parts", "SendMessage", { message: { messageId: "m", role: "ROLE_USER" } }, ["message.parts"]],
    [
      "a part without content",
      "SendMessage",
      { message: { messageId: "m", role: "ROLE_USER", parts: [{ filename: "x" }] } },
      ["message.parts[0]"],
    ],
    ["a negative history", "GetTask", { id: "x", historyLength: -1 }, ["historyLength"]],
    ["a page too large", "ListTasks", { pageSize: 101 }, ["pageSize"]],
    ["a page of nothing", "ListTasks", { pageSize: 0 }, ["pageSize"]],
    ["a forged page token", "ListTasks", { pageToken: "bm8.bm8" }, ["pageToken"]],
    ["a task without a name", "GetTask", {}, ["id"]],
  ])("%s is blamed on its field", async (_name, operation, request, fields) => {
    expect(await spec.refusal(operation, request)).toEqual({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_PARAMS",
      fields,
    });
  });

  test("a follow-up in the wrong context", async () => {
    const { id } = await taskFrom(spec, sending("multi-turn x"));
    expect(await spec.refusal("SendMessage", { message: say("x", { taskId: id, contextId: "other" }) })).toEqual({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_PARAMS",
      fields: ["message.contextId"],
    });
  });

  test("a call that does not exist is unimplemented, on each service and on none", async () => {
    for (const path of [
      "/lf.a2a.v1.A2AService/GetTasks",
      "/lf.a2a.v1.A2AService/",
      "/a2a.v1.A2AService/ListTasks",
      "/a2a.v1.A2AService/SubscribeToTask",
      "/lf.a2a.v2.A2AService/GetTask",
      "/grpc.health.v1.Health/Check",
      "/constructor/toString",
    ]) {
      const work = new Promise((resolve, reject) => {
        spec.client.makeUnaryRequest(
          path,
          () => Buffer.alloc(0),
          (bytes: Buffer) => bytes,
          {},
          spec.metadata(),
          (error, value) => (error ? reject(error) : resolve(value)),
        );
      });
      expect([path, await refusalOf(work)]).toEqual([path, { status: "UNIMPLEMENTED", reason: "METHOD_NOT_FOUND" }]);
    }
  });

  test.each<[string, Buffer[], string]>([
    ["no message at all", [], "INVALID_REQUEST"],
    ["two messages", [Buffer.alloc(0), Buffer.alloc(0)], "INVALID_REQUEST"],
    ["bytes that are no protobuf", [Buffer.from("ffffffff", "hex")], "INVALID_PARAMS"],
    ["a message cut off in a field", [Buffer.from("12ff7f00", "hex")], "INVALID_PARAMS"],
    ["text that is no UTF-8", [Buffer.from("1202fffe", "hex")], "INVALID_PARAMS"],
  ])("%s is an invalid argument", async (_name, messages, reason) => {
    const work = new Promise((resolve, reject) => {
      const call = spec.client.makeClientStreamRequest(
        grpcV10.path("GetTask")!,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        spec.metadata(),
        (error, value) => (error ? reject(error) : resolve(value)),
      );
      for (const message of messages) call.write(message);
      call.end();
    });
    expect(await refusalOf(work)).toEqual({ status: "INVALID_ARGUMENT", reason });
  });
});

describe("metadata carries the service parameters", () => {
  const versionRefused = { status: "FAILED_PRECONDITION", reason: "VERSION_NOT_SUPPORTED" };

  test.each(["1.0", "1.0.0", "1.0.7"])("a2a-version %s is served", async (version) => {
    const { message } = await spec.ask<SendMessageResponse>("SendMessage", sending("message-only x"), {
      meta: { "a2a-version": version },
    });
    expect(message).toEqual(agentMessage("[message-only] You said: message-only x"));
  });

  test.each<[string, Record<string, string>]>([
    ["a missing one", {}],
    ["an empty one", { "a2a-version": "" }],
    ["0.3", { "a2a-version": "0.3" }],
    ["1.1", { "a2a-version": "1.1" }],
    ["2.0", { "a2a-version": "2.0" }],
    ["garbage", { "a2a-version": "latest" }],
  ])("%s is refused, on calls and on streams, before the task is looked for", async (_name, meta) => {
    for (const operation of Object.keys(operations) as Operation[]) {
      const request = { id: unknownTask, taskId: unknownTask, url: "http://x.example", ...sending("x") };
      expect([operation, await spec.refusal(operation, request, { meta })]).toEqual([operation, versionRefused]);
    }
  });

  test("the refusal names the versions that are spoken", async () => {
    const error = await spec.call("ListTasks", {}, { meta: {} }).catch((thrown: unknown) => thrown);
    const [bytes] = (error as { metadata: ReturnType<GrpcPeer["metadata"]> }).metadata.get("grpc-status-details-bin");
    expect(readStatusDetails(bytes as Buffer)?.details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "VERSION_NOT_SUPPORTED",
        domain: "a2a-protocol.org",
        metadata: { supportedVersions: "1.0, 0.3" },
      },
    ]);
  });

  test("a2a-extensions activates what the agent declares, and the answer says which", async () => {
    const timing = "urn:assay:extension:timing:v1";
    const meta = { ...version10, "a2a-extensions": `${timing}, urn:unknown` };
    const { value, head } = await spec.call("SendMessage", full(sending("message-only x")), { meta });
    expect(head.get("a2a-extensions")).toEqual([timing]);
    expect((value as SendMessageResponse).message?.extensions).toEqual([timing]);
    const without = await spec.call("SendMessage", full(sending("message-only x")));
    expect(without.head.get("a2a-extensions")).toEqual([]);
  });

  test("a required extension has to be declared", async () => {
    const request = { tenant: "strict", ...sending("message-only x") };
    expect(await spec.refusal("SendMessage", request)).toEqual({
      status: "FAILED_PRECONDITION",
      reason: "EXTENSION_SUPPORT_REQUIRED",
    });
    const meta = { ...version10, "a2a-extensions": "urn:assay:extension:acknowledgement:v1" };
    const { message } = await spec.ask<SendMessageResponse>("SendMessage", request, { meta });
    expect(message?.extensions).toEqual(["urn:assay:extension:acknowledgement:v1"]);
  });
});

describe("tenants on the common port", () => {
  test.each(["echo", "full", "minimal"])("%s is reached by its name, and keeps its tasks to itself", async (tenant) => {
    if (tenant === "echo") {
      const { message } = await spec.ask<SendMessageResponse>("SendMessage", { tenant, ...sending("hi") });
      expect(message).toEqual(agentMessage("Echo: hi"));
      return;
    }
    const task = await taskFrom(spec, { tenant, ...sending("task-lifecycle x") });
    expect(await spec.ask("GetTask", { tenant, id: task.id })).toEqual(task);
    expect(await ask(`${bed.url}/${tenant}`, "JSONRPC", "GetTask", { id: task.id })).toEqual(task);
    expect(await spec.refusal("GetTask", { id: task.id })).toEqual({ status: "NOT_FOUND", reason: "TASK_NOT_FOUND" });
  });

  test("the cards name the tenant that leads to their agent; /spec needs none", async () => {
    const grpcOf = async (agent: string) => {
      const card = JSON.parse((await plain(`${bed.url}/${agent}/.well-known/agent-card.json`)).text) as AgentCard;
      return card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === "GRPC");
    };
    const at = (tenant?: string) => [
      { url: target(), protocolBinding: "GRPC", protocolVersion: "1.0", ...(tenant && { tenant }) },
    ];
    expect(await grpcOf("spec")).toEqual(at());
    for (const agent of ["echo", "full", "strict", "minimal", "secure"]) expect(await grpcOf(agent)).toEqual(at(agent));
  });

  test("a tenant that nobody has is an invalid argument", async () => {
    for (const tenant of ["west", "north", "__proto__", "constructor", "mutants", "mutants/nope", "é"]) {
      expect([tenant, await spec.refusal("ListTasks", { tenant })]).toEqual([
        tenant,
        { status: "INVALID_ARGUMENT", reason: "INVALID_PARAMS", fields: ["tenant"] },
      ]);
    }
  });

  test("an agent of 0.3 does not answer calls of 1.0", async () => {
    for (const tenant of ["spec03", "spec02", "spec01"]) {
      expect([tenant, await spec.refusal("ListTasks", { tenant })]).toEqual([
        tenant,
        { status: "FAILED_PRECONDITION", reason: "VERSION_NOT_SUPPORTED" },
      ]);
    }
  });
});

// Bare HTTP/2, where the client must not tidy up what is sent or seen.

interface Heard {
  readonly head: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const frame = (message: Uint8Array, flag = 0): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

const rawCall = (session: ClientHttp2Session, path: string, headers: Record<string, string> = {}): ClientHttp2Stream =>
  session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...version10,
    ...headers,
  });

function hear(stream: ClientHttp2Stream): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let head: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    stream.on("response", (headers) => {
      head = headers;
    });
    stream.on("trailers", (headers) => {
      trailers = headers;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("end", () => resolve({ head, trailers, body: Buffer.concat(chunks) }));
  });
}

function session(url: string, options: Parameters<typeof connect>[1] = {}): ClientHttp2Session {
  const opened = connect(url, options ?? {});
  opened.on("error", () => {});
  onTestFinished(() => opened.destroy());
  return opened;
}

describe("deadlines and cancellation", () => {
  const slow = (contextId: string) => ({ message: say("slow 10", { contextId }) });
  const listed = async (contextId: string) =>
    (await spec.ask<ListTasksResponse>("ListTasks", { contextId })).tasks.map(({ status }) => status.state);

  test("a deadline that passes is answered by the server, and the task works on", async () => {
    const contextId = "deadline-unary";
    const stream = rawCall(session(bed.url), grpcV10.path("SendMessage")!, { "grpc-timeout": "100m" });
    stream.end(frame(grpcV10.writeRequest("SendMessage", slow(contextId) as never)));
    const { head } = await hear(stream);
    expect([head[":status"], head["grpc-status"], head["grpc-message"]]).toEqual([200, "4", "the deadline passed"]);
    await until(
      () => listed(contextId),
      ([state]) => state === "TASK_STATE_COMPLETED",
    );
  });

  test("a deadline ends a stream behind the events that came in time", async () => {
    const contextId = "deadline-stream";
    const stream = rawCall(session(bed.url), grpcV10.path("SendStreamingMessage")!, { "grpc-timeout": "1500000u" });
    const request = { message: say(endless, { contextId }) };
    stream.end(frame(grpcV10.writeRequest("SendStreamingMessage", request as never)));
    const { head, trailers, body } = await hear(stream);
    expect([head[":status"], trailers["grpc-status"]]).toEqual([200, "4"]);
    expect(body.length).toBeGreaterThan(0);
    expect(await listed(contextId)).toEqual(["TASK_STATE_WORKING"]);
  });

  test("the same, as grpc-js sees it", async () => {
    const request = slow("deadline-client");
    const work = spec.call("SendMessage", request, { deadline: Date.now() + 100 });
    expect(await refusalOf(work)).toEqual({ status: "DEADLINE_EXCEEDED", reason: "" });
  });

  test("a deadline that is kept, or cannot be read, changes nothing", async () => {
    for (const timeout of ["5S", "1H", "99999999H", "soon", "-1S", "999999999S", ""]) {
      const stream = rawCall(session(bed.url), grpcV10.path("ListTasks")!, { "grpc-timeout": timeout });
      stream.end(frame(new Uint8Array()));
      const { trailers } = await hear(stream);
      expect([timeout, trailers["grpc-status"]]).toEqual([timeout, "0"]);
    }
  });

  test("a client that cancels a stream ends the stream, not the task", async () => {
    const contextId = "cancel-stream";
    const call = spec.open<StreamResponse>("SendStreamingMessage", { message: say(endless, { contextId }) });
    const seen: StreamResponse[] = [];
    const error = await (async () => {
      for await (const event of call) {
        seen.push(event as StreamResponse);
        if (seen.length === 3) call.cancel();
      }
    })().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 1 });
    expect(seen.length).toBe(3);
    const { id } = seen[0]!.task!;
    const watching = spec.open<StreamResponse>("SubscribeToTask", { id });
    let hasChunk = false;
    for await (const event of watching) {
      if (!(event as StreamResponse).artifactUpdate) continue;
      hasChunk = true;
      watching.cancel();
      break;
    }
    expect(hasChunk).toBe(true);
    await spec.ask("CancelTask", { id });
  });

  test("a client that cancels a blocking call, or vanishes with its connection, leaves the task at work", async () => {
    const call = spec.client.makeUnaryRequest(
      grpcV10.path("SendMessage")!,
      (json: object) => Buffer.from(grpcV10.writeRequest("SendMessage", json as never)),
      (bytes: Buffer) => bytes,
      slow("cancel-unary"),
      spec.metadata(),
      () => {},
    );
    const vanishing = session(bed.url);
    rawCall(vanishing, grpcV10.path("SendStreamingMessage")!)
      .on("error", () => {})
      .end(frame(grpcV10.writeRequest("SendStreamingMessage", slow("vanish") as never)));
    for (const contextId of ["cancel-unary", "vanish"]) {
      await until(
        () => listed(contextId),
        ({ length }) => length === 1,
      );
    }
    call.cancel();
    vanishing.destroy();
    for (const contextId of ["cancel-unary", "vanish"]) {
      await until(
        () => listed(contextId),
        ([state]) => state === "TASK_STATE_COMPLETED",
      );
    }
  });
});

describe.each(["v1", "v1alpha"])("reflection %s", (version) => {
  type Question = NonNullable<Parameters<typeof create<typeof ServerReflectionRequestSchema>>[1]>["messageRequest"];
  const reflect = (questions: Question[]) => {
    const call = spec.client.makeBidiStreamRequest(
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      (question: Question) =>
        Buffer.from(
          toBinary(
            ServerReflectionRequestSchema,
            create(ServerReflectionRequestSchema, { host: "h", messageRequest: question! }),
          ),
        ),
      (bytes: Buffer) => fromBinary(ServerReflectionResponseSchema, bytes),
      spec.metadata({}),
    );
    for (const question of questions) call.write(question);
    call.end();
    return call.toArray() as Promise<ReturnType<typeof create<typeof ServerReflectionResponseSchema>>[]>;
  };

  test("lists both A2A services and itself, and describes them, in one stream", async () => {
    const [list, v10, v03, missing] = await reflect([
      { case: "listServices", value: "" },
      { case: "fileContainingSymbol", value: "lf.a2a.v1.A2AService" },
      { case: "fileContainingSymbol", value: "a2a.v1.A2AService" },
      { case: "fileContainingSymbol", value: "no.such.Service" },
    ]);
    expect(
      list?.messageResponse.case === "listServicesResponse" &&
        list.messageResponse.value.service.map(({ name }) => name),
    ).toEqual([
      "lf.a2a.v1.A2AService",
      "a2a.v1.A2AService",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
    ]);
    const methodsIn = (answer: typeof v10) => {
      if (answer?.messageResponse.case !== "fileDescriptorResponse") throw new Error("no descriptors");
      const files = answer.messageResponse.value.fileDescriptorProto.map((bytes) =>
        fromBinary(FileDescriptorProtoSchema, bytes),
      );
      return files.flatMap(({ service }) => service.flatMap(({ method }) => method.map(({ name }) => name)));
    };
    expect(methodsIn(v10).sort()).toEqual(Object.keys(operations).sort());
    expect(methodsIn(v03).sort()).toEqual([
      "CancelTask",
      "CreateTaskPushNotificationConfig",
      "DeleteTaskPushNotificationConfig",
      "GetAgentCard",
      "GetTask",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfig",
      "SendMessage",
      "SendStreamingMessage",
      "TaskSubscription",
    ]);
    expect(missing?.messageResponse).toMatchObject({ case: "errorResponse", value: { errorCode: 5 } });
  });

  test("a question that is none ends the stream with an invalid argument", async () => {
    const stream = rawCall(session(bed.url), `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);
    stream.end(frame(Buffer.from("ffffffff", "hex")));
    expect((await hear(stream)).head["grpc-status"]).toBe("3");
  });
});

describe("big and compressed messages", () => {
  test("8 MiB come and go", async () => {
    const text = `message-only ${"x".repeat(8 * 1024 * 1024)}`;
    const { message } = await spec.ask<SendMessageResponse>("SendMessage", sending(text));
    expect(message?.parts[0]?.text?.length).toBe("[message-only] You said: ".length + text.length);
  });

  test("a stream of big events arrives whole", async () => {
    const events = await eventsOf(spec, "SendStreamingMessage", sending("chunks 40 65536"));
    const sizes = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text?.length ?? []);
    expect(sizes).toEqual(Array.from({ length: 40 }, () => 65_536));
  });

  test("beyond 10 MiB the call is refused, and the connection lives on", async () => {
    expect(await spec.refusal("SendMessage", sending("x".repeat(11 * 1024 * 1024)))).toEqual({
      status: "RESOURCE_EXHAUSTED",
      reason: "PAYLOAD_TOO_LARGE",
    });
    expect((await spec.ask<ListTasksResponse>("ListTasks", { pageSize: 1 })).pageSize).toBe(1);
  });

  test("a message that only announces 4 GiB is refused at once", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("SendMessage")!);
    stream.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0]));
    const { head } = await hear(stream);
    expect(head["grpc-status"]).toBe("8");
  });

  test("gzip, as grpc-js compresses, is read; the answer need not be compressed", async () => {
    const gzip = 2;
    const peer = dial(target(), grpcV10, { channel: { "grpc.default_compression_algorithm": gzip } });
    const text = `message-only ${"squeeze ".repeat(20_000)}`;
    const { message } = await peer.ask<SendMessageResponse>("SendMessage", sending(text));
    expect(message).toEqual(agentMessage(`[message-only] You said: ${text}`));
  });

  test.each<[string, string, Buffer, string]>([
    ["a bomb of 64 MiB", "gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024)), "8"],
    ["gzip that is none", "gzip", Buffer.from("not gzip"), "3"],
    ["a compressed message without a word about how", "identity", gzipSync("x"), "3"],
  ])("%s is refused", async (_name, encoding, bytes, status) => {
    const stream = rawCall(session(bed.url), grpcV10.path("GetTask")!, { "grpc-encoding": encoding });
    stream.end(frame(bytes, 1));
    const { head } = await hear(stream);
    expect(head["grpc-status"]).toBe(status);
    await expectNormalService(bed);
  });

  // https://github.com/grpc/grpc/blob/master/doc/compression.md asks for UNIMPLEMENTED and grpc-accept-encoding;
  // packages/wire/src/grpc/frame.ts knows only "malformed", which becomes INVALID_ARGUMENT.
  test("an encoding that the server does not know is unimplemented, and it says which it knows", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("GetTask")!, { "grpc-encoding": "zstd" });
    stream.end(frame(Buffer.from("x"), 1));
    const { head } = await hear(stream);
    expect([head["grpc-status"], head["grpc-accept-encoding"]]).toEqual(["12", expect.stringContaining("gzip")]);
  });

  test("a message in many small pieces is put together", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("SendMessage")!);
    const bytes = frame(grpcV10.writeRequest("SendMessage", sending("message-only pieces") as never));
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    stream.end();
    const { trailers, body } = await hear(stream);
    expect(trailers["grpc-status"]).toBe("0");
    expect(grpcV10.readAnswer("SendMessage", body.subarray(5))).toEqual({
      message: agentMessage("[message-only] You said: message-only pieces"),
    });
  });
});

describe("one port, two protocols", () => {
  test("HTTP/1.1 and h2c at the same time", async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `message-only ${n}`);
    const answers = await Promise.all(
      texts.map(async (text, n) =>
        n % 2
          ? spec.ask<SendMessageResponse>("SendMessage", sending(text))
          : ask(`${bed.url}/spec`, n % 4 ? "HTTP+JSON" : "JSONRPC", "SendMessage", sending(text)),
      ),
    );
    expect(answers.map(({ message }) => message?.parts[0]?.text)).toEqual(
      texts.map((text) => `[message-only] You said: ${text}`),
    );
  });

  test.each<[string, Record<string, string>, number]>([
    ["a GET is answered", { ":method": "GET", ":path": "/spec/.well-known/agent-card.json" }, 200],
    ["JSON is answered", { ":method": "POST", ":path": "/spec", "content-type": "application/json" }, 200],
    ["gRPC-Web is not spoken", { ":method": "POST", ":path": "/x", "content-type": "application/grpc-web" }, 415],
    ["a call without a type is none", { ":method": "POST", ":path": "/lf.a2a.v1.A2AService/GetTask" }, 404],
  ])("over HTTP/2, %s", async (_name, headers, status) => {
    const stream = session(bed.url).request(headers);
    stream.end();
    const { head, body } = await hear(stream);
    expect([head[":status"], typeof JSON.parse(body.toString())]).toEqual([status, "object"]);
  });

  test("an authority that is not ours is refused", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("ListTasks")!, { ":authority": "evil.example" });
    stream.end(frame(new Uint8Array()));
    const { head } = await hear(stream);
    const details = Buffer.from(String(head["grpc-status-details-bin"]), "base64");
    expect([head["grpc-status"], readStatusDetails(details)?.details[0]?.["reason"]]).toEqual([
      "3",
      "MISDIRECTED_REQUEST",
    ]);
  });

  test("what the client resets is forgotten, and its neighbours on the connection are served", async () => {
    const shared = session(bed.url);
    for (let n = 0; n < 50; n++) {
      const stream = rawCall(shared, grpcV10.path("SendStreamingMessage")!);
      stream.on("error", () => {});
      stream.write(frame(grpcV10.writeRequest("SendStreamingMessage", sending("streaming x") as never)));
      stream.close(constants.NGHTTP2_CANCEL);
    }
    const stream = rawCall(shared, grpcV10.path("ListTasks")!);
    stream.end(frame(new Uint8Array()));
    expect((await hear(stream)).trailers["grpc-status"]).toBe("0");
  });
});

// Bytes, where even Node's client would not send what is sent here.

const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

const http2Frame = (type: number, flags: number, stream: number, payload: Uint8Array): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

describe("a request that is taken back with the same bytes that bring it", () => {
  const headersFrame = (type: string) => {
    const headers = {
      ":method": "POST",
      ":scheme": "http",
      ":path": "/x",
      ":authority": "localhost",
      "content-type": type,
    };
    return http2Frame(1, 4, 1, Buffer.concat(Object.entries(headers).map(([name, value]) => literal(name, value))));
  };
  const preface = Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    http2Frame(4, 0, 0, Buffer.alloc(0)),
  ]);
  const takenBack: [string, Buffer][] = [
    ["RST_STREAM", http2Frame(3, 0, 1, Buffer.from([0, 0, 0, 8]))],
    ["GOAWAY", http2Frame(7, 0, 0, Buffer.alloc(8))],
    ["SETTINGS that are none", http2Frame(4, 0, 0, Buffer.alloc(5))],
    ["DATA of another stream", http2Frame(0, 0, 99, Buffer.from([0]))],
  ];

  // Node tells of the stream after it is gone; packages/wire/src/server/http2-side.ts may not answer it then.
  test.each(
    takenBack.flatMap(([name, bytes]) => ["application/grpc", "text/plain"].map((type) => ({ name, bytes, type }))),
  )("by $name, as $type, does not bring the server down", async ({ bytes, type }) => {
    const socket = connectTcp(bed.port, "127.0.0.1", () =>
      socket.write(Buffer.concat([preface, headersFrame(type), bytes])),
    );
    socket.on("error", () => {});
    await once(socket, "data");
    socket.destroy();
    await expectNormalService(bed);
  });
});

describe("a port for every agent", () => {
  let many: Testbed;
  let first: number;
  const faults: unknown[] = [];
  beforeAll(async () => {
    first = await freePort(12);
    many = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "0",
      timeScale: 0.1,
      grpcPort: first,
      onError: (error) => faults.push(error),
    });
  });
  afterAll(async () => {
    await many.close(500);
    expect(faults).toEqual([]);
  });
  const portOf = (agent: string) => first + many.agents.findIndex(({ path }) => path === agent);

  test("the ports follow each other in the order of the agents, and each card names its own, without a tenant", async () => {
    for (const { path, dialects = ["1.0"] } of many.agents) {
      const name = dialects[0] === "0.1" ? "agent.json" : "agent-card.json";
      const card = JSON.parse((await plain(`${many.url}/${path}/.well-known/${name}`)).text) as AgentCard & {
        additionalInterfaces?: { url: string; transport: string }[];
      };
      const named = [
        ...(card.supportedInterfaces ?? []).filter(({ protocolBinding }) => protocolBinding === "GRPC"),
        ...(card.additionalInterfaces ?? []).filter(({ transport }) => transport === "GRPC"),
      ];
      const url = `127.0.0.1:${portOf(path)}`;
      expect([path, named]).toEqual([
        path,
        dialects[0] === "1.0"
          ? [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }]
          : dialects[0] === "0.3"
            ? [{ url, transport: "GRPC" }]
            : [],
      ]);
    }
  });

  test("a client that knows no tenants reaches every agent of 1.0 at its port", async () => {
    const echo = dial(`127.0.0.1:${portOf("echo")}`, grpcV10);
    expect(await echo.ask("SendMessage", sending("hi"))).toEqual({ message: agentMessage("Echo: hi") });
    for (const agent of ["spec", "full", "minimal"]) {
      const peer = dial(`127.0.0.1:${portOf(agent)}`, grpcV10);
      const task = await taskFrom(peer, sending("task-lifecycle x"));
      expect(await ask(`${many.url}/${agent}`, "JSONRPC", "GetTask", { id: task.id })).toEqual(task);
    }
  });

  test("there, a tenant is the agent's own: north and south of /full do not see each other's tasks", async () => {
    const peer = dial(`127.0.0.1:${portOf("full")}`, grpcV10);
    const task = await taskFrom(peer, { tenant: "north", ...sending("task-lifecycle x") });
    expect(await peer.ask("GetTask", { tenant: "north", id: task.id })).toEqual(task);
    for (const tenant of ["south", ""]) {
      expect(await peer.refusal("GetTask", { tenant, id: task.id })).toEqual({
        status: "NOT_FOUND",
        reason: "TASK_NOT_FOUND",
      });
    }
    expect(await peer.refusal("ListTasks", { tenant: "echo" })).toEqual({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_PARAMS",
      fields: ["tenant"],
    });
  });

  test("the 0.3 service is at the ports of those who speak 0.3, and not at the others", async () => {
    const request = { request: { messageId: "m", role: "ROLE_USER", content: [{ text: "message-only hi" }] } };
    for (const agent of ["spec03", "spec"]) {
      const peer = dial(`127.0.0.1:${portOf(agent)}`, grpcV03);
      expect(await peer.ask("SendMessage", request)).toEqual({
        message: {
          messageId: anId,
          contextId: anId,
          role: "ROLE_AGENT",
          content: [{ text: "[message-only] You said: message-only hi" }],
        },
      });
    }
    const newer = dial(`127.0.0.1:${portOf("minimal")}`, grpcV03);
    expect((await newer.refusal("SendMessage", request)).reason).toBe("VERSION_NOT_SUPPORTED");
  });

  test("the port also answers HTTP/1.1, and reflection", async () => {
    const answer = await plain(`http://127.0.0.1:${portOf("echo")}/health`);
    expect(answer.status).toBe(200);
    const stream = rawCall(
      session(`http://127.0.0.1:${portOf("echo")}`),
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    );
    const question = create(ServerReflectionRequestSchema, { messageRequest: { case: "listServices", value: "" } });
    stream.end(frame(toBinary(ServerReflectionRequestSchema, question)));
    expect((await hear(stream)).trailers["grpc-status"]).toBe("0");
  });
});

describe("TLS", () => {
  let secure: Testbed;
  let cert: string;
  const faults: unknown[] = [];
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-tls-"));
    const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const out = ["-days", "1", "-keyout", "key.pem", "-out", "cert.pem"];
    execFileSync("openssl", ["req", "-x509", ...key, ...name, ...out], { cwd: folder, stdio: "pipe" });
    cert = readFileSync(join(folder, "cert.pem"), "utf8");
    const tls = { cert, key: readFileSync(join(folder, "key.pem"), "utf8") };
    rmSync(folder, { recursive: true });
    secure = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "0",
      timeScale: 0.1,
      tls,
      onError: (error) => faults.push(error),
    });
  });
  afterAll(async () => {
    await secure.close(500);
    expect(faults).toEqual([]);
  });

  test("grpc-js speaks to it, with everything that it can do in clear", async () => {
    const peer = dial(`localhost:${secure.port}`, grpcV10, { credentials: credentials.createSsl(Buffer.from(cert)) });
    expect(await peer.ask("SendMessage", sending("message-only hi"))).toEqual({
      message: agentMessage("[message-only] You said: message-only hi"),
    });
    const events = await eventsOf(peer, "SendStreamingMessage", sending("streaming hi"));
    expect(events.length).toBe(7);
    const meta = { ...version10, authorization: "Bearer agentbin-test-token" };
    const card = await peer.ask<AgentCard>("GetExtendedAgentCard", {}, { meta });
    expect(card.supportedInterfaces[0]?.url).toBe(`https://localhost:${secure.port}/spec`);
    expect(await peer.refusal("GetTask", { id: unknownTask })).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test.each<[string[], string | false]>([
    [["h2"], "h2"],
    [["http/1.1"], "http/1.1"],
    [["h2", "http/1.1"], "h2"],
    [["http/1.1", "h2"], "h2"],
  ])("ALPN: a client that offers %j gets %s", async (offered, chosen) => {
    const protocol = await new Promise((resolve, reject) => {
      const socket = connectTls({ port: secure.port, host: "127.0.0.1", ca: cert, ALPNProtocols: offered }, () => {
        resolve(socket.alpnProtocol);
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(protocol).toBe(chosen);
  });

  test("without ALPN it is HTTP/1.1", async () => {
    const heard = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connectTls({ port: secure.port, host: "127.0.0.1", ca: cert }, () => {
        socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      });
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      socket.on("error", reject).on("close", () => resolve(text));
    });
    expect([heard.split("\r\n")[0], heard.split("\r\n\r\n")[1]]).toEqual(["HTTP/1.1 200 OK", '{"status":"ok"}']);
  });

  test("clear text at a TLS port gets no answer, and harms nobody", async () => {
    const peer = dial(`127.0.0.1:${secure.port}`, grpcV10);
    expect(await refusalOf(peer.call("ListTasks", {}))).toEqual({ status: "UNAVAILABLE", reason: "" });
    const again = dial(`localhost:${secure.port}`, grpcV10, { credentials: credentials.createSsl(Buffer.from(cert)) });
    expect((await again.ask<ListTasksResponse>("ListTasks", {})).pageSize).toBe(50);
  });
});

test("a server that shuts down finishes the calls under way and takes no new ones", async () => {
  const faults: unknown[] = [];
  const closing = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "0",
    timeScale: 0.1,
    onError: (error) => faults.push(error),
  });
  const peer = new GrpcPeer(`127.0.0.1:${closing.port}`, grpcV10);
  onTestFinished(() => peer.close());
  const seen: StreamResponse[] = [];
  const following = async () => {
    for await (const event of peer.open<StreamResponse>("SendStreamingMessage", sending("task-cancel go"))) {
      seen.push(event as StreamResponse);
    }
    return seen.at(-1)?.statusUpdate?.status.state;
  };
  const waiting = async () =>
    (await peer.ask<SendMessageResponse>("SendMessage", sending("task-cancel go"))).task?.status.state;
  const calls = Promise.allSettled([following(), waiting()]);
  await until(
    async () => seen,
    ({ length }) => length === 2,
  );
  // Whoever waits for the grace to be over waits longer than this test.
  await closing.close(600_000);
  // The work was let go to its end, and those who waited for it heard so before the connection went.
  const completed = { status: "fulfilled", value: "TASK_STATE_COMPLETED" };
  expect(await calls).toEqual([completed, completed]);
  expect(await refusalOf(peer.call("ListTasks", {}))).toEqual({ status: "UNAVAILABLE", reason: "" });
  expect(faults).toEqual([]);
});
