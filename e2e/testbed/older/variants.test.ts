import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { startHook } from "../../fixtures/subject.fixture.ts";
import { plain, until, useTestbed } from "../../fixtures/testbed.fixture.ts";

// Tests that variants of 0.3 and older differ from their bases. e2e/proof tests that no check accuses them.

const bed = useTestbed({ timeScale: 0.02 });

interface Answer {
  readonly status: number;
  readonly json: JsonObject;
}

/** An agent of 0.3, by its path. */
class Older {
  readonly #url: string;

  constructor(path: string) {
    this.#url = `${bed.url}/${path}`;
  }

  async rest(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const { status, text } = await plain(`${this.#url}/v1${path}`, sent);
    return { status, json: text === "" ? {} : (JSON.parse(text) as JsonObject) };
  }

  async rpc(method: string, params: object): Promise<JsonObject> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "Content-Type": "application/json" };
    return JSON.parse((await plain(this.#url, { method: "POST", headers, body })).text) as JsonObject;
  }

  /** Creates a task over HTTP+JSON. */
  async task(text: string): Promise<{ id: string; status: JsonObject }> {
    const message = { messageId: randomUUID(), role: "ROLE_USER", content: [{ text }] };
    const { json } = await this.rest("POST", "/message:send", { message, configuration: { blocking: true } });
    return json["task"] as unknown as { id: string; status: JsonObject };
  }

  /** Returns the events of a subscription to a running task over HTTP+JSON. */
  async heard(): Promise<string[]> {
    const message = { messageId: randomUUID(), role: "ROLE_USER", content: [{ text: "slow 50" }] };
    const { json } = await this.rest("POST", "/message:send", { message, configuration: { blocking: false } });
    const { id } = json["task"] as unknown as { id: string };
    const { text } = await plain(`${this.#url}/v1/tasks/${id}:subscribe`, { method: "POST" });
    return [...text.matchAll(/^data: \{"(\w+)"/gm)].map(([, member]) => member!);
  }

  /** Posts a push configuration in the form of the proto. */
  async configured(id: string, url = "http://127.0.0.1:9/hook"): Promise<Answer> {
    const parent = `tasks/${id}`;
    const config = { name: `${parent}/pushNotificationConfigs/one`, pushNotificationConfig: { id: "one", url } };
    return this.rest("POST", `/tasks/${id}/pushNotificationConfigs`, { parent, configId: "one", config });
  }

  /** Returns the notifications of a task up to its end. */
  async told() {
    const { url, posted } = await startHook();
    const pushNotificationConfig = { url, token: "secret" };
    const message = {
      kind: "message",
      messageId: randomUUID(),
      role: "user",
      parts: [{ kind: "text", text: "task-lifecycle hi" }],
    };
    await this.rpc("message/send", { message, configuration: { pushNotificationConfig } });
    await until(
      async () => posted.some(({ body }) => JSON.stringify(body).includes('"completed"')),
      (isTold) => isTold,
    );
    return posted;
  }
}

interface Row {
  readonly id: string;
  readonly see: (agent: Older) => Promise<unknown>;
  readonly usual: unknown;
  readonly odd: unknown;
}

const row = (id: string, see: Row["see"], [usual, odd]: readonly [unknown, unknown]): Row => ({ id, see, usual, odd });

const errorOf = async (agent: Older) => Object.keys((await agent.rest("GET", "/tasks/none")).json);

const rows: readonly Row[] = [
  row(
    "rest-statuses",
    async (agent) => {
      const { id } = await agent.task("multi-turn hi");
      return [(await agent.configured(id)).status, (await agent.rest("POST", `/tasks/${id}:cancel`, {})).status];
    },
    [
      [200, 200],
      [201, 202],
    ],
  ),
  row(
    "older-subscribe-by-get",
    async (agent) => (await agent.rest("POST", "/tasks/none:subscribe", {})).status,
    [404, 405],
  ),
  row("rest-message-errors", errorOf, [["code", "message", "data"], ["message"]]),
  row("rest-named-errors", errorOf, [
    ["code", "message", "data"],
    ["error", "message"],
  ]),
  row("rest-new-errors", errorOf, [["code", "message", "data"], ["error"]]),
  row(
    "rest-config-array",
    async (agent) => {
      const { id } = await agent.task("multi-turn hi");
      return Array.isArray((await agent.rest("GET", `/tasks/${id}/pushNotificationConfigs`)).json);
    },
    [false, true],
  ),
  row(
    "rest-bare-config",
    async (agent) => (await agent.configured((await agent.task("multi-turn hi")).id)).status,
    [200, 400],
  ),
  row(
    "rest-reads-schema",
    async (agent) => {
      const message = { messageId: randomUUID(), role: "ROLE_USER", content: [{ text: "task-lifecycle hi" }] };
      return (await agent.rest("POST", "/message:send", { message })).status;
    },
    [200, 400],
  ),
  row(
    "one-l",
    async (agent) => {
      const { id } = await agent.task("multi-turn hi");
      return ((await agent.rest("POST", `/tasks/${id}:cancel`, {})).json["status"] as JsonObject)["state"];
    },
    ["TASK_STATE_CANCELLED", "TASK_STATE_CANCELED"],
  ),
  row("rest-undated", async (agent) => typeof (await agent.task("task-lifecycle hi")).status["timestamp"], [
    "string",
    "undefined",
  ]),
  row(
    "older-unknown-config",
    async (agent) => {
      const { id } = await agent.task("multi-turn hi");
      const params = { id, pushNotificationConfigId: "none" };
      return ((await agent.rpc("tasks/pushNotificationConfig/get", params))["error"] as JsonObject)["code"];
    },
    [-32001, -32603],
  ),
  row(
    "older-notifies-once",
    async (agent) => {
      const posted = await agent.told();
      return [posted.length > 1, Object.keys(posted[0]!.headers).find((name) => name.endsWith("notification-token"))];
    },
    [
      [true, "x-a2a-notification-token"],
      [false, "a2a-notification-token"],
    ],
  ),
  row("older-notifies-events", async (agent) => (await agent.told())[0]!.body["kind"], ["task", "status-update"]),
  row(
    "older-forgets-configs",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return (await agent.rest("GET", `/tasks/${id}/pushNotificationConfigs`)).status;
    },
    [200, 404],
  ),
  row("late-listeners-03", (agent) => agent.heard(), [["task", "artifactUpdate", "statusUpdate"], ["statusUpdate"]]),
];

describe.each(rows)("$id", ({ id, see, usual, odd }) => {
  test("differs from its base", async () => {
    expect(await see(new Older("spec03"))).toEqual(usual);
    expect(await see(new Older(`variants/${id}`))).toEqual(odd);
  });
});

describe.each(["03", "02"])("a part with type instead of kind", (version) => {
  const send = (path: string, part: object) => {
    const message = { kind: "message", messageId: randomUUID(), role: "user", parts: [part] };
    return new Older(path).rpc("message/send", { message });
  };

  test(`/spec${version} reads, and its strict variant refuses`, async () => {
    const typed = { type: "text", text: "task-lifecycle hello" };
    expect(await send(`spec${version}`, typed)).toHaveProperty("result.status.state", "completed");
    expect(await send(`variants/strict-parts-${version}`, typed)).toHaveProperty("error.code", -32602);
    const due = { kind: "text", text: "task-lifecycle hello" };
    expect(await send(`variants/strict-parts-${version}`, due)).toHaveProperty("result.status.state", "completed");
  });
});

test("begins-anew-02 continues an ended task", async () => {
  const send = async (path: string, taskId?: string) => {
    const message = { kind: "message", messageId: randomUUID(), role: "user", ...(taskId && { taskId }) };
    const parts = [{ kind: "text", text: "task-lifecycle hello" }];
    return new Older(path).rpc("message/send", { message: { ...message, parts } });
  };
  const [usual, odd] = [await send("spec02"), await send("variants/begins-anew-02")];
  const idOf = (answer: JsonObject) => (answer["result"] as JsonObject)["id"] as string;
  expect(await send("spec02", idOf(usual))).toHaveProperty("error.code");
  const again = await send("variants/begins-anew-02", idOf(odd));
  expect(again).toMatchObject({ result: { id: idOf(odd), status: { state: "completed" } } });
});
