import { type ProfileOptions, startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Tests the profiles for the TCK and ACTS with plain requests. */
function profiled(profile: ProfileOptions, root?: string) {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "0.0.0",
      timeScale: 0,
      profile,
      ...(root && { root }),
    });
  });
  afterAll(() => testbed.close(0));
  const ask = async (path: string, body?: object, headers: Record<string, string> = { "A2A-Version": "1.0" }) => {
    const response = await fetch(`${testbed.url}${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...(body ? { "Content-Type": "application/json" } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = (await response.json()) as Record<string, never>;
    return { status: response.status, type: response.headers.get("content-type"), json };
  };
  return Object.assign(ask, { url: () => testbed.url });
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

  test("accepts every media type, and offers push and a public extended card", async () => {
    const parts = [{ text: "tck", mediaType: "application/x-unsupported-tck-type" }];
    expect((await ask("/spec/message:send", message("", { messageId: "tck-complete-task-1", parts }))).status).toBe(
      200,
    );
    const card = await ask("/spec/extendedAgentCard");
    expect([card.status, card.json]).toMatchObject([200, { capabilities: { pushNotifications: true } }]);
  });
});

describe("the profile tck, for the TCK of 0.3: /spec03", () => {
  const ask = profiled({ profile: "tck" }, "spec03");
  const say = (messageId: string, more: object = {}) => ({
    message: { kind: "message", messageId, role: "user", parts: [{ kind: "text", text: "any words" }], ...more },
  });
  const stateOf = async (method: string, params: object) => (await ask("/spec03", rpc(method, params))).json;

  test("its card is at the root, with the address of gRPC in full, and without an extended card", async () => {
    const { json } = await ask("/.well-known/agent-card.json", undefined, {});
    const { additionalInterfaces, supportsAuthenticatedExtendedCard } = json as Record<string, never>;
    expect(json).toMatchObject({ protocolVersion: "0.3.0", url: expect.stringMatching(/\/spec03$/) });
    expect(additionalInterfaces).toContainEqual({ transport: "GRPC", url: expect.stringMatching(/^http:\/\/127/) });
    expect(supportsAuthenticatedExtendedCard ?? false).toBe(false);
  });

  test("follows its conventions; every other message starts a task that runs until it is canceled", async () => {
    expect(await stateOf("message/send", say("tck-complete-task-1"))).toMatchObject({
      result: { status: { state: "completed" } },
    });
    const { result } = await stateOf("message/send", say("test-anything"));
    const { id: taskId } = result as unknown as { id: string };
    const more = await stateOf("message/send", say("test-more", { taskId, contextId: "of another task" }));
    expect(more).toMatchObject({ result: { id: taskId, status: { state: "input-required" } } });
    const got = await stateOf("tasks/get", { id: taskId, historyLength: 1 });
    expect(got).toMatchObject({ result: { history: [{ messageId: "test-more" }] } });
    expect(await stateOf("tasks/cancel", { id: taskId })).toMatchObject({ result: { status: { state: "canceled" } } });
  });

  test("a call without an id gets a response, and an impossible stream an event with the error", async () => {
    const { id: _, ...unnumbered } = rpc("message/ssend", {});
    expect((await ask("/spec03", unnumbered)).json).toMatchObject({ id: null, error: { code: -32601 } });
    const lost = await fetch(`${ask.url()}/spec03`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(rpc("tasks/resubscribe", { id: "nope" })),
    });
    expect(lost.headers.get("content-type")).toBe("text/event-stream");
    expect(JSON.parse((await lost.text()).replace(/^data: /, ""))).toMatchObject({ id: 1, error: { code: -32001 } });
  });

  test("any id finds the only push configuration of a task", async () => {
    const { result } = await stateOf("message/send", say("test-push"));
    const { id } = result as unknown as { id: string };
    const pushNotificationConfig = { url: "http://127.0.0.1:9/hook" };
    await stateOf("tasks/pushNotificationConfig/set", { taskId: id, pushNotificationConfig });
    const got = await stateOf("tasks/pushNotificationConfig/get", { id, pushNotificationConfigId: "default" });
    expect(got).toMatchObject({ result: { taskId: id, pushNotificationConfig } });
  });
});

describe("the profile tck with missing capabilities and required extensions", () => {
  const ask = profiled({ profile: "tck" }, "minimal");

  test("the TCK's words and error table hold on /minimal, which is at the root", async () => {
    expect((await ask("/.well-known/agent-card.json")).json).toMatchObject({ name: "Minimal Agent" });
    const done = await ask("/minimal", rpc("SendMessage", message("x", { messageId: "tck-artifact-text-1" })));
    expect(done.json).toMatchObject({ result: { task: { artifacts: [{}] } } });
    const wrong = await ask("/minimal/message:send", message("x"), {
      "A2A-Version": "1.0",
      "Content-Type": "text/plain",
    });
    expect(wrong.status).toBe(415);
    const stream = await ask("/minimal", rpc("SendStreamingMessage", message("x")));
    expect(stream.json).toMatchObject({ error: { code: -32004 } });
  });

  test("/strict requires its extension, and then follows the TCK", async () => {
    const call = rpc("SendMessage", message("x", { messageId: "tck-message-response-1" }));
    expect((await ask("/strict", call)).json).toMatchObject({ error: { code: -32008 } });
    const { capabilities } = (await ask("/strict/.well-known/agent-card.json")).json as never as {
      capabilities: { extensions: { uri: string; required?: boolean }[] };
    };
    const required = capabilities.extensions.find((each) => each.required)!.uri;
    const taken = await ask("/strict", call, { "A2A-Version": "1.0", "A2A-Extensions": required });
    expect(taken.json).toMatchObject({ result: { message: { parts: [{ text: "Direct message response" }] } } });
  });
});

test("--root accepts only agents", async () => {
  const starting = startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", root: "spek" });
  await expect(starting).rejects.toThrow('Unknown agent "spek');
});

describe("the profile acts", () => {
  const ask = profiled({ profile: "acts" });

  test("serves a 1.0 method without a version, and rejects an unsupported version", async () => {
    const call = rpc("SendMessage", message("tck-message-response"));
    expect((await ask("/spec", call, {})).json).toHaveProperty("result.message");
    expect((await ask("/spec", call, { "A2A-Version": "99.0" })).json).toMatchObject({ error: { code: -32009 } });
  });

  test("accepts a message without an id, and ids beside the message", async () => {
    const bare = { message: { role: "ROLE_USER", parts: [{ text: "tck-complete-task" }] } };
    expect((await ask("/spec", rpc("SendMessage", bare))).json).toHaveProperty("result.task");
    const lost = await ask("/spec", rpc("SendMessage", { ...bare, taskId: "nope" }));
    expect(lost.json).toMatchObject({ error: { code: -32001 } });
  });

  test("checks a content type in the metadata of a part, and creates its own contexts", async () => {
    const parts = [{ text: "x", metadata: { contentType: "application/x-nobody" } }];
    expect((await ask("/spec", rpc("SendMessage", message("", { parts })))).json).toMatchObject({
      error: { code: -32005 },
    });
    const foreign = message("tck-complete-task", { contextId: "never-issued" });
    expect((await ask("/spec", rpc("SendMessage", foreign))).json).toMatchObject({ error: { code: -32602 } });
  });

  test("omits the context from a direct message that had none", async () => {
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

  test("the card stays public and declares its security requirements", async () => {
    const { status, json } = await ask("/.well-known/agent-card.json", undefined, {});
    expect([status, json]).toMatchObject([200, { securityRequirements: [{ schemes: { bearer: {} } }] }]);
  });
});

describe("the profile acts with reduced capabilities", () => {
  const ask = profiled({ profile: "acts", actsReduced: true });

  test("offers nothing optional, and names what it rejects", async () => {
    const { json } = await ask("/.well-known/agent-card.json", undefined, {});
    expect(json).toMatchObject({
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    });
    const stream = await ask("/spec", rpc("SendStreamingMessage", message("tck-stream-basic")));
    expect(stream.json).toMatchObject({ error: { code: -32004 } });
    expect((await ask("/spec", rpc("GetExtendedAgentCard", {}))).json).toMatchObject({ error: { code: -32004 } });
  });
});
