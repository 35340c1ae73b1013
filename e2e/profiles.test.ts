import { type ProfileOptions, startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** `/spec` as the TCK and ACTS want to meet it, asked with plain requests. */
function profiled(profile: ProfileOptions) {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0, profile });
  });
  afterAll(() => testbed.close(0));
  return async (path: string, body?: object, headers: Record<string, string> = { "A2A-Version": "1.0" }) => {
    const response = await fetch(`${testbed.url}${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...(body ? { "Content-Type": "application/json" } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = (await response.json()) as Record<string, never>;
    return { status: response.status, type: response.headers.get("content-type"), json };
  };
}

const message = (text: string, more: object = {}) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

describe("the profile tck", () => {
  const ask = profiled({ profile: "tck" });

  test("labels HTTP+JSON as 1.0.0 had it, answers and errors alike", async () => {
    const served = await ask("/spec/message:send", message("tck", { messageId: "tck-message-response-1" }));
    expect([served.type, served.json]).toMatchObject([
      "application/json",
      { message: { parts: [{ text: "Direct message response" }] } },
    ]);
    expect((await ask("/spec/tasks/nope")).type).toBe("application/json");
  });

  test("follows the error table of 1.0.0", async () => {
    const wrong = await ask("/spec/message:send", message("x"), { "A2A-Version": "1.0", "Content-Type": "text/plain" });
    expect(wrong.status).toBe(415);
  });

  test("welcomes every media type, and offers push and an open extended card", async () => {
    const parts = [{ text: "tck", mediaType: "application/x-unsupported-tck-type" }];
    expect((await ask("/spec/message:send", message("", { messageId: "tck-complete-task-1", parts }))).status).toBe(
      200,
    );
    const card = await ask("/spec/extendedAgentCard");
    expect([card.status, card.json]).toMatchObject([200, { capabilities: { pushNotifications: true } }]);
  });
});

describe("the profile acts", () => {
  const ask = profiled({ profile: "acts" });

  test("serves a 1.0 method without a version, and refuses one that it does not speak", async () => {
    const call = rpc("SendMessage", message("tck-message-response"));
    expect((await ask("/spec", call, {})).json).toHaveProperty("result.message");
    expect((await ask("/spec", call, { "A2A-Version": "99.0" })).json).toMatchObject({ error: { code: -32009 } });
  });

  test("lets a message without an id pass, and finds ids beside the message", async () => {
    const bare = { message: { role: "ROLE_USER", parts: [{ text: "tck-complete-task" }] } };
    expect((await ask("/spec", rpc("SendMessage", bare))).json).toHaveProperty("result.task");
    const lost = await ask("/spec", rpc("SendMessage", { ...bare, taskId: "nope" }));
    expect(lost.json).toMatchObject({ error: { code: -32001 } });
  });

  test("judges a content type in a part's metadata, and gives out its contexts itself", async () => {
    const parts = [{ text: "x", metadata: { contentType: "application/x-nobody" } }];
    expect((await ask("/spec", rpc("SendMessage", message("", { parts })))).json).toMatchObject({
      error: { code: -32005 },
    });
    const foreign = message("tck-complete-task", { contextId: "never-issued" });
    expect((await ask("/spec", rpc("SendMessage", foreign))).json).toMatchObject({ error: { code: -32602 } });
  });

  test("names no context in a direct message that came without one", async () => {
    const { json } = await ask("/spec", rpc("SendMessage", message("tck-message-response")));
    expect(json).not.toHaveProperty("result.message.contextId");
  });

  test.each([
    ["itk-valid-token", 200],
    ["itk-insufficient-token", 403],
    ["other", 401],
  ])("shows the extended card for %s: %i", async (token, status) => {
    const headers = { "A2A-Version": "1.0", Authorization: `Bearer ${token}` };
    expect((await ask("/spec/extendedAgentCard", undefined, headers)).status).toBe(status);
  });
});

describe("the profile acts with authentication", () => {
  const ask = profiled({ profile: "acts", actsAuth: true });

  test.each([
    ["Bearer itk-valid-token", 200],
    ["Bearer itk-insufficient-token", 403],
    ["", 401],
  ])("a list of tasks for %j: %i", async (authorization, status) => {
    const headers = { "A2A-Version": "1.0", ...(authorization ? { Authorization: authorization } : {}) };
    expect((await ask("/spec/tasks", undefined, headers)).status).toBe(status);
  });

  test("the card stays public and says what it asks for", async () => {
    const { status, json } = await ask("/.well-known/agent-card.json", undefined, {});
    expect([status, json]).toMatchObject([200, { securityRequirements: [{ schemes: { bearer: {} } }] }]);
  });
});

describe("the profile acts with reduced capabilities", () => {
  const ask = profiled({ profile: "acts", actsReduced: true });

  test("offers nothing optional, and refuses it by its name", async () => {
    const { json } = await ask("/.well-known/agent-card.json", undefined, {});
    expect(json).toMatchObject({
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    });
    const stream = await ask("/spec", rpc("SendStreamingMessage", message("tck-stream-basic")));
    expect(stream.json).toMatchObject({ error: { code: -32004 } });
    expect((await ask("/spec", rpc("GetExtendedAgentCard", {}))).json).toMatchObject({ error: { code: -32004 } });
  });
});
