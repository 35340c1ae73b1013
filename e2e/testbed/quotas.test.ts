import { grpcStatuses, grpcV10, readStatusDetails } from "@assay/protocol/grpc";
import type { ServiceError } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { useGrpcPeers } from "../fixtures/grpc.fixture.ts";
import {
  ask,
  type bindings,
  collect,
  follow,
  open,
  plain,
  say,
  sending,
  taskFrom,
  until,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

/** Callers by login, different ones in each test. */
const bearer = (name: string) => ({ Authorization: `Bearer ${name}-token` });

describe("the rate limit", () => {
  const bed = useTestbed({ timeScale: 0.05, quotas: { requestsPerSecond: 0.001, burst: 3 } });
  const dial = useGrpcPeers();
  const grpc = dial(() => `127.0.0.1:${bed.port}`, grpcV10);
  const list = (name: string, binding: (typeof bindings)[number]) => {
    const { url, plain: sent } = written(`${bed.url}/secure`, binding, "ListTasks", {}, bearer(name));
    return plain(url, sent);
  };

  test.each([
    ["JSONRPC", "alice"],
    ["HTTP+JSON", "bob"],
  ] as const)("returns 429 with Retry-After over %s", async (binding, name) => {
    for (let n = 0; n < 3; n++) expect((await list(name, binding)).status).toBe(200);
    const { status, headers, text } = await list(name, binding);
    expect([status, headers["retry-after"]]).toEqual([429, expect.stringMatching(/^(9\d\d|1000)$/)]);
    expect(text).toContain("TOO_MANY_REQUESTS");
    expect(text).toContain("google.rpc.RetryInfo");
  });

  test("counts requests without valid credentials by address; gRPC returns RESOURCE_EXHAUSTED with RetryInfo", async () => {
    const guess = async () =>
      (await plain(`${bed.url}/secure/tasks`, { headers: { Authorization: "Bearer guess", "A2A-Version": "1.0" } }))
        .status;
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429]);
    const { code, metadata } = (await grpc.ask("ListTasks", {}).catch((error: unknown) => error)) as ServiceError;
    expect(code).toBe(grpcStatuses.RESOURCE_EXHAUSTED);
    expect(readStatusDetails(metadata.get("grpc-status-details-bin")[0] as Buffer)?.details).toEqual([
      expect.objectContaining({ reason: "TOO_MANY_REQUESTS" }),
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: expect.stringMatching(/^(9\d\d|1000)s$/) },
    ]);
    // Requests about the server itself do not count.
    expect((await plain(`${bed.url}/health`)).status).toBe(200);
    expect((await plain(`${bed.url}/spec/.well-known/agent-card.json`)).status).toBe(200);
  });
});

describe("a server with limits for each caller", () => {
  const bed = useTestbed({
    timeScale: 0.05,
    quotas: { streams: 1, openTasks: 2, historyMessages: 4, artifactBytes: 2_000, webhooksPerTask: 2 },
    limits: { bodyBytes: 20_000 },
  });
  const full = () => `${bed.url}/full`;

  test("rejects one stream too many before it creates a task, until another stream closes", async () => {
    const secure = `${bed.url}/secure`;
    const client = new AbortController();
    const first = written(secure, "JSONRPC", "SendStreamingMessage", sending("slow 600"), bearer("alice"));
    const opened = await open(first.url, { ...first.plain, signal: client.signal });
    expect(opened.statusCode).toBe(200);
    opened.on("error", () => {});
    const second = written(secure, "JSONRPC", "SendStreamingMessage", sending("task-lifecycle x"), bearer("alice"));
    const refused = await plain(second.url, second.plain);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    const { totalSize } = await ask(secure, "JSONRPC", "ListTasks", {}, bearer("alice"));
    expect(totalSize).toBe(1);
    expect(
      (
        await collect(
          follow(secure, "JSONRPC", "SendStreamingMessage", sending("streaming x"), { headers: bearer("bob") }),
        )
      ).length,
    ).toBeGreaterThan(3);
    client.abort();
    await until(
      async () => (await plain(second.url, second.plain)).status,
      (status) => status === 200,
    );
  });

  test("rejects one open task too many, until another task ends", async () => {
    const begin = () => written(full(), "HTTP+JSON", "SendMessage", sending("multi-turn x"));
    const tasks = [
      await taskFrom(full(), "HTTP+JSON", "multi-turn x"),
      await taskFrom(full(), "HTTP+JSON", "multi-turn x"),
    ];
    const refused = await plain(begin().url, begin().plain);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "10"]);
    for (const { id } of tasks) await ask(full(), "HTTP+JSON", "CancelTask", { id });
    const { id } = await taskFrom(full(), "HTTP+JSON", "multi-turn x");
    await ask(full(), "HTTP+JSON", "CancelTask", { id });
  });

  test("rejects one message too many in a task, which stays unchanged", async () => {
    const { id: taskId } = await taskFrom(full(), "JSONRPC", "multi-turn x");
    await ask(full(), "JSONRPC", "SendMessage", { message: say("more", { taskId }) });
    const { url, plain: sent } = written(full(), "JSONRPC", "SendMessage", { message: say("more", { taskId }) });
    expect((await plain(url, sent)).text).toContain("UNSUPPORTED_OPERATION");
    expect((await ask(full(), "JSONRPC", "GetTask", { id: taskId })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await ask(full(), "JSONRPC", "CancelTask", { id: taskId });
  });

  test("fails a task whose artifact is too large, with the reason", async () => {
    const { status } = await taskFrom(full(), "JSONRPC", "big 5000");
    expect([status.state, status.message?.parts[0]?.text]).toEqual([
      "TASK_STATE_FAILED",
      "[big] No room for more: an artifact may have at most 2000 bytes.",
    ]);
  });

  test("rejects a request that is too long", async () => {
    const { url, plain: sent } = written(full(), "JSONRPC", "SendMessage", sending("x".repeat(30_000)));
    expect((await plain(url, sent)).status).toBe(413);
  });

  test("rejects one webhook too many of a task", async () => {
    const { id: taskId } = await taskFrom(full(), "JSONRPC", "multi-turn x");
    const hook = (id: string) =>
      written(full(), "HTTP+JSON", "CreateTaskPushNotificationConfig", { taskId, id, url: "http://127.0.0.1:9/hook" });
    const answers = [];
    for (const id of ["a", "b", "c", "b"]) answers.push((await plain(hook(id).url, hook(id).plain)).status);
    expect(answers).toEqual([200, 200, 400, 200]);
    await ask(full(), "JSONRPC", "CancelTask", { id: taskId });
  });
});
