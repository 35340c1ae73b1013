import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { objections } from "../../../packages/protocol/src/dialects/definitions.fixture.ts";
import { anId, plain, until, useTestbed } from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed({ timeScale: 0.15 });

/** The result of JSON.parse. */
type Loose = ReturnType<typeof JSON.parse>;

// The first page about A2A shows 25 payloads, many of which violate its own schema. /spec01 has to accept its twelve
// requests (dialects.md §13), which this file writes in our words. packages/protocol reads the twelve responses and the
// card (dialects/v0.1/seed.test.ts).
describe("0.1: the requests of the first page", () => {
  const post = async (json: unknown, path = "spec01") => {
    const answer = await plain(`${bed.url}/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(json),
    });
    return { type: answer.headers["content-type"], text: answer.text };
  };
  const call = async (method: string, params: JsonObject, id: number | string = 1): Promise<Loose> => {
    const { type, text } = await post({ jsonrpc: "2.0", id, method, params });
    expect(type).toBe("application/json");
    const json = JSON.parse(text) as JsonObject;
    expect([json["jsonrpc"], json["id"]]).toEqual(["2.0", id]);
    if (json["result"])
      expect(
        objections("0.1", method.includes("push") ? "TaskPushNotificationConfig" : "Task", json["result"]),
      ).toEqual([]);
    return json;
  };
  const events = ({ type, text }: { type: string | undefined; text: string }): Loose[] => {
    expect(type).toBe("text/event-stream");
    const all = text
      .split("\n\n")
      .filter((block) => block.startsWith("data: "))
      .map((block) => JSON.parse(block.slice(6)) as JsonObject);
    for (const { result } of all) expect(objections("0.1", "StreamResult", result!)).toEqual([]);
    return all;
  };
  const text = (words: string, more: JsonObject = {}) => ({
    role: "user",
    parts: [{ type: "text", text: words, ...more }],
  });
  const fresh = () => `page-${crypto.randomUUID()}`;

  test("send: with empty metadata, without a session; the answer has one", async () => {
    const id = fresh();
    const { result } = await call("tasks/send", { id, message: text("task-lifecycle tides"), metadata: {} });
    expect(result).toMatchObject({ id, sessionId: anId, status: { state: "completed" } });
    expect(result.artifacts).toEqual([
      { index: 0, name: "result", parts: [{ type: "text", text: "[task-lifecycle] Processed: task-lifecycle tides" }] },
    ]);
  });

  test("get: with a length of history, and without one", async () => {
    const id = fresh();
    await call("tasks/send", { id, message: text("task-lifecycle tides") });
    const { result } = await call("tasks/get", { id, historyLength: 10, metadata: {} });
    expect([result.id, result.history[0]]).toEqual([id, text("task-lifecycle tides")]);
    expect((await call("tasks/get", { id, metadata: {} }, 10)).result.id).toBe(id);
  });

  test("cancel: under the id that the client chose", async () => {
    const id = fresh();
    const stream = post({
      jsonrpc: "2.0",
      id: 1,
      method: "tasks/sendSubscribe",
      params: { id, message: text("task-cancel go") },
    });
    await until(
      () => call("tasks/get", { id }),
      ({ result }) => result?.status.state === "working",
    );
    const { result } = await call("tasks/cancel", { id, metadata: {} });
    expect([result.id, result.status.state]).toEqual([id, "canceled"]);
    expect(events(await stream).at(-1).result).toMatchObject({ id, status: { state: "canceled" }, final: true });
  });

  test("push set and get: with a list of schemes and nothing else", async () => {
    const id = fresh();
    await call("tasks/send", { id, message: text("multi-turn x") });
    const config = {
      id,
      pushNotificationConfig: { url: "http://127.0.0.1:9/t", authentication: { schemes: ["jwt"] } },
    };
    expect((await call("tasks/pushNotification/set", config)).result).toEqual(config);
    expect((await call("tasks/pushNotification/get", { id })).result).toEqual(config);
  });

  test("two turns: the second with the session that the first was given", async () => {
    const id = fresh();
    const one = await call("tasks/send", { id, message: text("multi-turn a chart, please"), metadata: {} });
    const { sessionId } = one.result;
    expect(one.result.status.state).toBe("input-required");
    const two = await call("tasks/send", { id, sessionId, message: text("Whitby, then done"), metadata: {} }, 2);
    expect([two.result.id, two.result.sessionId, two.result.status.state]).toEqual([id, sessionId, "completed"]);
  });

  test.each(["spec01", "spec01/subscribe"])(
    "stream: without jsonrpc and id, with a file under data, at /%s; every event has the id null",
    async (path) => {
      const id = fresh();
      const message = {
        role: "user",
        parts: [
          { type: "text", text: "streaming what is this?" },
          { type: "file", file: { mimeType: "image/png", data: "aGVpZ2h0Cg==" } },
        ],
      };
      const params = { id, sessionId: "session-20b4", message, metadata: {} };
      const all = events(await post({ method: "tasks/sendSubscribe", params }, path));
      expect(all.map((event) => [event.jsonrpc, event.id, event.result.id])).toEqual(all.map(() => ["2.0", null, id]));
      expect(all.at(-1).result).toMatchObject({ status: { state: "completed" }, final: true });
      const { result } = await call("tasks/get", { id });
      expect([result.sessionId, result.history[0].parts[1]]).toEqual([
        "session-20b4",
        { type: "file", file: { mimeType: "image/png", bytes: "aGVpZ2h0Cg==" } },
      ]);
    },
  );

  test("resubscribe: without jsonrpc and id", async () => {
    const id = fresh();
    const begun = post({ method: "tasks/sendSubscribe", params: { id, message: text("long-running go") } });
    await until(
      () => call("tasks/get", { id }),
      ({ result }) => result?.status.state === "working",
    );
    const all = events(await post({ method: "tasks/resubscribe", params: { id, metadata: {} } }));
    expect(all.map((event) => event.id)).toEqual(all.map(() => null));
    expect(all.at(-1).result).toMatchObject({ id, status: { state: "completed" }, final: true });
    // Each of the five artifacts has an index of its own, the same on both streams.
    const indexes = (list: Loose[]) => list.flatMap(({ result }) => (result.artifact ? [result.artifact.index] : []));
    const whole = [0, 1, 2, 3, 4];
    expect(indexes(events(await begun))).toEqual(whole);
    // On a busy machine a late subscriber misses the first ones.
    expect(indexes(all)).toEqual(whole.slice(-indexes(all).length));
  });

  test("a file whose data is not base64 counts as plain content", async () => {
    const id = fresh();
    const message = {
      role: "user",
      parts: [
        { type: "text", text: "task-lifecycle read this" },
        { type: "file", file: { mimeType: "application/octet-stream", data: "<the report>" } },
      ],
    };
    await call("tasks/send", { id, sessionId: "s", message, metadata: {} }, 9);
    const { result } = await call("tasks/get", { id });
    expect(Buffer.from(result.history[0].parts[1].file.bytes, "base64").toString()).toBe("<the report>");
  });

  test("a request for structured output in the metadata of a part is passed on unchanged", async () => {
    const id = fresh();
    const metadata = { mimeType: "application/json", schema: { type: "array", items: { type: "object" } } };
    await call(
      "tasks/send",
      { id, sessionId: "s", message: text("task-lifecycle ports", { metadata }), metadata: {} },
      9,
    );
    expect((await call("tasks/get", { id })).result.history[0]).toEqual(text("task-lifecycle ports", { metadata }));
  });

  test("the same id again, after it was completed: no duplicate, but another run", async () => {
    const id = fresh();
    const one = await call("tasks/send", { id, message: text("task-lifecycle one") });
    const two = await call("tasks/send", { id, message: text("task-lifecycle two") }, 2);
    expect([one.result.status.state, two.result.status.state, two.result.id]).toEqual(["completed", "completed", id]);
    expect(two.result.sessionId).toBe(one.result.sessionId);
    expect(two.result.artifacts.at(-1).parts).toEqual([
      { type: "text", text: "[task-lifecycle] Processed: task-lifecycle two" },
    ]);
  });

  test.each<[string, (id: string) => JsonObject]>([
    [
      "null for what is not given",
      (id) => ({ id, sessionId: null, message: text("task-lifecycle x"), metadata: null }),
    ],
    ["a message without role", (id) => ({ id, message: { parts: [{ type: "text", text: "task-lifecycle x" }] } })],
    ["a part without type", (id) => ({ id, message: { role: "user", parts: [{ text: "task-lifecycle x" }] } })],
    [
      "a part with a later dialect's kind",
      (id) => ({ id, message: { role: "user", parts: [{ kind: "text", text: "task-lifecycle x" }] } }),
    ],
  ])("beyond the page: %s", async (_name, params) => {
    const id = fresh();
    const { result } = await call("tasks/send", params(id));
    expect([result.id, result.status.state]).toEqual([id, "completed"]);
    expect((await call("tasks/get", { id })).result.history[0]).toEqual(text("task-lifecycle x"));
  });

  test("a number as task id is read as its digits", async () => {
    const id = 4_000_000 + Math.floor(Math.random() * 1_000_000);
    const { result } = await call("tasks/send", { id, message: text("task-lifecycle x") } as never);
    expect(result.id).toBe(String(id));
  });

  test("methods of later versions are unknown", async () => {
    for (const method of [
      "message/send",
      "message/stream",
      "SendMessage",
      "tasks/list",
      "agent/getAuthenticatedExtendedCard",
    ]) {
      expect([method, (await call(method, {})).error.code]).toEqual([method, -32601]);
    }
  });
});
