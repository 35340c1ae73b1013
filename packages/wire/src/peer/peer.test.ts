import { A2AError, type Binding, bindings, type Message } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { collect } from "../client/peers.fixture.ts";
import { agents, type Script, statusUpdate, task, testClients } from "./agents.fixture.ts";
import { createPeer } from "./peer.ts";

const message: Message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hello" }] };
const notFound = new A2AError("TaskNotFound", "Es gibt keinen Täsk", { facts: { taskId: "t1" } });

/** The number of the error is each binding's own. */
const numbers = {
  JSONRPC: { http: 200, code: -32001 },
  "HTTP+JSON": { http: 404 },
  GRPC: { http: 200, grpc: { code: 5, status: "NOT_FOUND" } },
};

const error = (binding: Binding) => ({
  is: "error",
  error: {
    message: "Es gibt keinen Täsk",
    ...numbers[binding],
    reason: "TASK_NOT_FOUND",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_FOUND",
        domain: "a2a-protocol.org",
        metadata: { taskId: "t1" },
      },
    ],
  },
});

describe.each(bindings)("over %s", (binding) => {
  const getTask = async (script: Script) => {
    const url = await agents[binding]("GetTask", script);
    return createPeer(testClients(), { url, binding, dialect: "1.0" }).call("GetTask", { id: "t1" });
  };

  const follow = async (script: Script) => {
    const url = await agents[binding]("SendStreamingMessage", script, true);
    const stream = await createPeer(testClients(), { url, binding, dialect: "1.0" }).stream("SendStreamingMessage", {
      message,
    });
    const events = await collect(stream.events);
    return { events, exchange: await stream.finished };
  };

  test("an answer is a value, and its exchange is there to be judged", async () => {
    const { exchange, ...answer } = await getTask([task("TASK_STATE_WORKING")]);
    expect(answer).toEqual({ is: "value", value: task("TASK_STATE_WORKING") });
    expect(exchange.envelope).toEqual({ is: "result", json: task("TASK_STATE_WORKING") });
  });

  test("an error has its reason, its details and the number of the binding", async () => {
    const { exchange, ...answer } = await getTask([notFound]);
    expect(answer).toEqual(error(binding));
    expect(exchange.envelope).toEqual(error(binding));
  });

  test("an answer that breaks the schema is invalid", async () => {
    const answer = await getTask([{ id: "t1", contextId: "c1" }]);
    expect(answer).toMatchObject({ is: "invalid", violations: [{ path: "$.status" }] });
  });

  test("a stream is its events, each with its time and size", async () => {
    const script = [{ task: task("TASK_STATE_SUBMITTED") }, statusUpdate("TASK_STATE_COMPLETED")];
    const { events, exchange } = await follow(script);
    expect(events).toEqual(
      script.map((value) => ({ at: expect.any(Number), bytes: expect.any(Number), is: "value", value })),
    );
    expect(events.every(({ bytes }) => bytes > 10)).toBe(true);
    expect(exchange.failure).toBe(undefined);
  });

  test("a stream that fails at once is its error", async () => {
    const { events } = await follow([notFound]);
    expect(events).toEqual([{ at: expect.any(Number), bytes: expect.any(Number), ...error(binding) }]);
  });

  test("a stream that fails on the way ends with its error", async () => {
    const { events } = await follow([{ task: task("TASK_STATE_SUBMITTED") }, notFound]);
    expect(events).toMatchObject([{ is: "value" }, { is: "error", error: { reason: "TASK_NOT_FOUND" } }]);
  });

  test("an event that breaks the schema ends the stream", async () => {
    const { events } = await follow([{ task: { id: "t1" } }, statusUpdate("TASK_STATE_COMPLETED")]);
    expect(events).toMatchObject([{ is: "invalid" }]);
  });

  test("leaving a stream ends the call", async () => {
    const url = await agents[binding]("SendStreamingMessage", [statusUpdate("TASK_STATE_WORKING")], true);
    const stream = await createPeer(testClients(), { url, binding, dialect: "1.0" }).stream("SendStreamingMessage", {
      message,
    });
    stream.close();
    expect(await collect(stream.events)).not.toContainEqual(expect.objectContaining({ is: "failure" }));
    await stream.finished;
  });

  test("an unreachable server fails a call and a stream", async () => {
    const peer = createPeer(testClients(), {
      url: binding === "GRPC" ? "127.0.0.1:1" : "http://127.0.0.1:1",
      binding,
      dialect: "1.0",
    });
    expect(await peer.call("GetTask", { id: "t1" })).toMatchObject({
      is: "failure",
      failure: { code: "connect-refused" },
    });
    const { events } = await peer.stream("SubscribeToTask", { id: "t1" });
    expect(await collect(events)).toMatchObject([{ is: "failure", failure: { code: "connect-refused" } }]);
  });

  test("the version, the extensions and the login go along with every call", async () => {
    const url = await agents[binding]("GetTask", [task("TASK_STATE_WORKING")]);
    const headers = [
      ["A2A-Extensions", "https://example.com/x"],
      ["Authorization", "Bearer token"],
    ] as const;
    const { exchange } = await createPeer(testClients(), { url, binding, dialect: "1.0" }, headers).call("GetTask", {
      id: "t1",
    });
    const sent = new Map(exchange.http.request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    expect([sent.get("a2a-version"), sent.get("a2a-extensions"), sent.get("authorization")]).toEqual([
      "1.0",
      "https://example.com/x",
      "Bearer token",
    ]);
  });

  test("a tenant is part of every request", async () => {
    const url = await agents[binding]("GetTask", [task("TASK_STATE_WORKING")]);
    const { exchange } = await createPeer(testClients(), { url, binding, dialect: "1.0", tenant: "acme" }).call(
      "GetTask",
      {
        id: "t1",
      },
    );
    const { url: target, body } = exchange.http.request;
    expect(`${target} ${Buffer.from(body)}`).toContain("acme");
  });
});

test("a peer that is not spoken to in gRPC loads no protobuf", async () => {
  const url = await agents.JSONRPC("GetTask", [task("TASK_STATE_WORKING")]);
  const clients = testClients();
  const withoutGrpc = {
    ...clients,
    grpc: () => {
      throw new Error("asked for gRPC");
    },
  };
  expect(
    (await createPeer(withoutGrpc, { url, binding: "JSONRPC", dialect: "1.0" }).call("GetTask", { id: "t1" })).is,
  ).toBe("value");
});
