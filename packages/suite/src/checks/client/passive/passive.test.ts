import type { HeaderPairs } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { offerOf } from "../../../client/agent-offer.ts";
import { rulesBroken, rulesFailed, type Sent } from "./judged.fixture.ts";

const url = "http://127.0.0.1:4040/agent";
const card = {
  name: "Agent",
  description: "An agent",
  version: "1",
  supportedInterfaces: [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: `${url}/acme`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "acme-7" },
  ],
  capabilities: { streaming: false },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};
const agent = offerOf(card, `${url}/.well-known/agent-card.json`);

let ids = 0;

const json = ["Content-Type", "application/json"] as const;
const good: HeaderPairs = [["A2A-Version", "1.0"], json];
const a2aJson: HeaderPairs = [
  ["A2A-Version", "1.0"],
  ["Content-Type", "application/a2a+json"],
];
const call = (name: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method: name, params });
const message = (more: object = {}) => ({
  messageId: `m${++ids}`,
  role: "ROLE_USER",
  parts: [{ text: "hi" }],
  ...more,
});
const send = (more: object = {}, beside: object = {}) => call("SendMessage", { message: message(more), ...beside });

/** Sent with the headers of a good client unless told. */
type Request = Partial<Sent>;
const brokenBy = (...sent: readonly Request[]): Promise<string[]> =>
  rulesBroken(
    agent,
    sent.map((each) => ({ headers: good, ...each })),
  );

const task = { task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_INPUT_REQUIRED" } } };

describe("what is in order accuses no client", () => {
  test.each<[string, readonly Request[]]>([
    ["a message over JSON-RPC", [{ body: send() }]],
    ["a message over HTTP+JSON", [{ to: `${url}/message:send`, headers: a2aJson, body: { message: message() } }]],
    ["the version as a parameter", [{ to: `${url}?A2A-Version=1.0`, headers: [json], body: send() }]],
    [
      "a charset beside the media type",
      [{ headers: [good[0]!, ["content-type", "application/json; charset=utf-8"]], body: send() }],
    ],
    ["the path of 0.3", [{ to: `${url}/v1/message:send`, headers: a2aJson, body: { message: message() } }]],
    ["GET without a body", [{ method: "GET", to: `${url}/tasks?pageSize=5`, headers: [good[0]!] }]],
    ["an answer to a question", [{ body: send(), answer: task }, { body: send({ taskId: "t1", contextId: "c1" }) }]],
    ["the same without the context", [{ body: send(), answer: task }, { body: send({ taskId: "t1" }) }]],
    ["a tenant", [{ to: `${url}/acme`, body: send({}, { tenant: "acme-7" }) }]],
    ["an empty tenant where there is none", [{ body: send({}, { tenant: "" }) }]],
    ["a call without params", [{ body: { jsonrpc: "2.0", id: "a", method: "ListTasks" } }]],
    ["the very same message again", [{ body: send({ messageId: "same" }) }, { body: send({ messageId: "same" }) }]],
    [
      "a body that had not come when it was refused",
      [{ to: `${url}/message:send`, headers: [...a2aJson, ["Content-Length", "240"]] }],
    ],
    ["a JSON-RPC request below an address of HTTP+JSON", [{ to: `${url}/rpc`, body: send() }]],
    ["a card, which needs no version", [{ method: "GET", to: agent.cardUrl, headers: [] }]],
  ])("%s", async (_what, sent) => {
    expect((await brokenBy(...sent)).filter((id) => id !== "card")).toEqual([]);
  });
});

test("a null id is discouraged, and fails no client", async () => {
  const sent = [{ headers: good, body: { ...send(), id: null } }];
  expect(await rulesBroken(agent, sent)).toEqual(["JSONRPC-022"]);
  expect(await rulesFailed(agent, sent)).toEqual([]);
});

describe("what is not breaks its own rule", () => {
  test.each<[string, readonly string[], readonly Request[]]>([
    ["no version", ["VER-001"], [{ headers: [json], body: send() }]],
    ["no version by GET", ["VER-001", "REST-017"], [{ method: "GET", to: `${url}/tasks`, headers: [] }]],
    ["another version", ["VER-001"], [{ headers: [["A2A-Version", "0.3"], json], body: send() }]],
    ["a patch number", ["VER-002"], [{ headers: [["A2A-Version", "1.0.3"], json], body: send() }]],
    ["two versions", ["VER-003"], [{ to: `${url}?A2A-Version=0.3`, body: send() }]],
    [
      "the version in metadata",
      ["VER-001", "JSONRPC-020"],
      [{ headers: [json], body: send({}, { metadata: { "A2A-Version": "1.0" } }) }],
    ],
    ["params that are an array", ["JSONRPC-022"], [{ body: call("SendMessage", [{ message: message() }]) }]],
    [
      "an id that is an object",
      ["JSONRPC-022"],
      [{ body: { ...call("SendMessage", { message: message() }), id: {} } }],
    ],
    ["no id", ["JSONRPC-022"], [{ body: { jsonrpc: "2.0", method: "SendMessage", params: { message: message() } } }]],
    ["plain JSON over HTTP+JSON", ["REST-014"], [{ to: `${url}/message:send`, body: { message: message() } }]],
    ["GET with a body", ["REST-019"], [{ method: "GET", to: `${url}/tasks`, body: {} }]],
    ["a query in snake case", ["REST-019"], [{ method: "GET", to: `${url}/tasks?page_size=5`, headers: [good[0]!] }]],
    [
      "the older header for extensions",
      ["EXT-004"],
      [{ headers: [...good, ["X-A2A-Extensions", "urn:x"]], body: send() }],
    ],
    [
      "two lines of extensions",
      ["EXT-017"],
      [{ headers: [...good, ["A2A-Extensions", "urn:x"], ["A2A-Extensions", "urn:y"]], body: send() }],
    ],
    [
      "a member in snake case",
      ["DATA-002"],
      [{ body: call("SendMessage", { message: { message_id: "m", role: "ROLE_USER", parts: [{ text: "hi" }] } }) }],
    ],
    ["the role of 0.3", ["DATA-004", "SEND-022"], [{ body: send({ role: "user" }) }]],
    ["a part with two contents", ["DATA-036"], [{ body: send({ parts: [{ text: "a", data: {} }] }) }]],
    ["the role of an agent", ["SEND-022"], [{ body: send({ role: "ROLE_AGENT" }) }]],
    [
      "the same id for two messages",
      ["SEND-021"],
      [{ body: send({ messageId: "same" }) }, { body: send({ messageId: "same", parts: [{ text: "more" }] }) }],
    ],
    [
      "a task in a push configuration",
      ["SEND-024"],
      [{ body: send({}, { configuration: { taskPushNotificationConfig: { taskId: "t", url: "https://x.test" } } }) }],
    ],
    ["no tenant", ["TEN-001"], [{ to: `${url}/acme`, body: send() }]],
    ["a tenant for nothing", ["TEN-002"], [{ body: send({}, { tenant: "default" }) }]],
    ["a context of its own", ["CTX-004"], [{ body: send({ contextId: "mine" }) }]],
    ["a task of its own", ["CTX-017"], [{ body: send({ taskId: "mine" }) }]],
    [
      "another context than the task has",
      ["CTX-004", "CTX-017"],
      [{ body: send(), answer: task }, { body: send({ taskId: "t1", contextId: "c2" }) }],
    ],
    ["streaming that is not offered", ["CAP-001"], [{ body: call("SendStreamingMessage", { message: message() }) }]],
    [
      "an altered page token",
      ["LIST-025"],
      [
        { body: call("ListTasks", { pageSize: 1 }), answer: { tasks: [], nextPageToken: "a+b=" } },
        { body: call("ListTasks", { pageToken: "a b=" }) },
      ],
    ],
    [
      "a time without a zone",
      ["DATA-010"],
      [{ body: call("ListTasks", { statusTimestampAfter: "2026-03-12T09:30:00" }) }],
    ],
  ])("%s", async (_what, rules, sent) => {
    expect((await brokenBy(...sent)).toSorted()).toEqual(rules.toSorted());
  });
});
