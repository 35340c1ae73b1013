import { describe, expect, test } from "vitest";
import { offerOf } from "../../../client/agent-offer.ts";
import { judgeCall } from "../../../client/judge-call.ts";
import { exchangeOf, rulesBroken, type Sent } from "./judged.fixture.ts";

const url = "http://127.0.0.1:4040/agent";
const cardUrl = `${url}/.well-known/agent.json`;
const common = {
  name: "Agent",
  description: "An agent",
  version: "1",
  url,
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};
const required = { extensions: [{ uri: "urn:x", required: true }] };
const card03 = {
  ...common,
  protocolVersion: "0.3.0",
  preferredTransport: "JSONRPC",
  additionalInterfaces: [{ url: `${url}/rest`, transport: "HTTP+JSON" }],
  supportsAuthenticatedExtendedCard: true,
};
const agents = {
  "0.3": offerOf(card03, cardUrl),
  "0.3 with a required extension": offerOf(
    { ...card03, capabilities: { ...common.capabilities, ...required } },
    cardUrl,
  ),
  "0.2": offerOf({ ...common, protocolVersion: "0.2.6" }, cardUrl),
  "0.1": offerOf({ ...common, authentication: { schemes: ["None"] } }, cardUrl),
};
type Agent = keyof typeof agents;
type Row = [what: string, agent: Agent, sent: readonly Partial<Sent>[]];

const json = ["Content-Type", "application/json"] as const;
const message = (more: object = {}) => ({
  kind: "message",
  messageId: crypto.randomUUID(),
  role: "user",
  parts: [{ kind: "text", text: "hi" }],
  ...more,
});
const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const send = (more: object = {}, beside: object = {}) => call("message/send", { message: message(more), ...beside });
const sendTask = (more: object = {}, part: object = { type: "text", text: "hi" }) =>
  call("tasks/send", { id: "t1", message: { role: "user", parts: [part] }, ...more });
const asking = { kind: "task", id: "t1", contextId: "c1", status: { state: "input-required" } };
const broken = (agent: Agent, sent: readonly Partial<Sent>[]): Promise<string[]> =>
  rulesBroken(
    agents[agent],
    sent.map((each) => ({ headers: [json], ...each })),
  );
const rest = `${url}/rest`;

describe("what was in order then accuses no client", () => {
  test.each<Row>([
    ["a message", "0.3", [{ body: send() }]],
    ["a message without its kind", "0.3", [{ body: send({ kind: undefined }) }]],
    ["a member that is null", "0.3", [{ body: send({ contextId: null }) }]],
    ["its version", "0.3", [{ headers: [json, ["A2A-Version", "0.3"]], body: send() }]],
    ["an answer to a question", "0.3", [{ body: send(), answer: asking }, { body: send({ taskId: "t1" }) }]],
    ["the extended card", "0.3", [{ body: call("agent/getAuthenticatedExtendedCard") }]],
    ["a method of an extension", "0.3", [{ body: call("example.org/forecast") }]],
    ["both names of the header", "0.3", [{ headers: [json, ["X-A2A-Extensions", "urn:x"]], body: send() }]],
    [
      "HTTP+JSON as the .proto has it",
      "0.3",
      [
        {
          to: `${rest}/v1/message:send`,
          body: { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] } },
        },
      ],
    ],
    ["a task by GET", "0.3", [{ method: "GET", to: `${rest}/v1/tasks/t1`, headers: [] }]],
    [
      "a required extension",
      "0.3 with a required extension",
      [{ headers: [json, ["X-A2A-Extensions", "urn:x"]], body: send() }],
    ],
    ["no output modes", "0.2", [{ body: send({}, { configuration: { blocking: true } }) }]],
    ["a task of its own", "0.1", [{ body: sendTask() }]],
    ["no id, which was a notification", "0.1", [{ body: { ...sendTask(), id: undefined } }]],
  ])("%s (%s)", async (_what, agent, sent) => {
    expect(await broken(agent, sent)).toEqual([]);
  });
});

describe("what was not breaks its own rule", () => {
  test.each<[string, Agent, readonly string[], readonly Partial<Sent>[]]>([
    ["a method of 1.0", "0.3", ["V03-JSONRPC-001"], [{ body: call("SendMessage", { message: message() }) }]],
    ["a method of 0.1", "0.2", ["V03-JSONRPC-001"], [{ body: sendTask() }]],
    ["a method of 0.3", "0.1", ["V01-JSONRPC-001"], [{ body: send() }]],
    ["the version of 1.0", "0.3", ["V03-VER-006"], [{ headers: [json, ["A2A-Version", "1.0"]], body: send() }]],
    [
      "a path of 1.0",
      "0.3",
      ["V03-REST-007"],
      [{ to: `${rest}/message:send`, body: { message: { messageId: "m", role: "ROLE_USER", content: [] } } }],
    ],
    [
      "the media type of 1.0",
      "0.3",
      ["V03-REST-006"],
      [
        {
          to: `${rest}/v1/message:send`,
          headers: [["Content-Type", "application/a2a+json"]],
          body: { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] } },
        },
      ],
    ],
    [
      "extensions under the name of 1.0",
      "0.3",
      ["V03-EXT-002"],
      [{ headers: [json, ["A2A-Extensions", "urn:x"]], body: send() }],
    ],
    ["no required extension", "0.3 with a required extension", ["EXT-016"], [{ body: send() }]],
    ["a part without its kind", "0.3", ["DATA-036"], [{ body: send({ parts: [{ text: "hi" }] }) }]],
    ["no id for a message", "0.3", ["DATA-036", "SEND-021"], [{ body: send({ messageId: undefined }) }]],
    ["the role of 1.0", "0.3", ["DATA-004"], [{ body: send({ role: "ROLE_USER" }) }]],
    ["the role of an agent", "0.3", ["SEND-022"], [{ body: send({ role: "agent" }) }]],
    ["a member in snake case", "0.3", ["DATA-002"], [{ body: send({ context_id: "c1" }) }]],
    ["a task of its own", "0.3", ["CTX-017"], [{ body: send({ taskId: "mine" }) }]],
    ["a context of its own", "0.2", ["CTX-004"], [{ body: send({ contextId: "mine" }) }]],
    ["no id for a task", "0.1", ["DATA-036"], [{ body: sendTask({ id: undefined }) }]],
    ["kind in place of type", "0.1", ["DATA-036"], [{ body: sendTask({}, { kind: "text", text: "hi" }) }]],
    ["params that are an array", "0.1", ["JSONRPC-022"], [{ body: { ...sendTask(), params: [] } }]],
  ])("%s (%s)", async (_what, agent, rules, sent) => {
    expect((await broken(agent, sent)).toSorted()).toEqual(rules.toSorted());
  });
});

test.each([
  ["tasks/t1", "holds"],
  ["tasks/t1/pushNotificationConfigs/c1", "holds"],
  ["t1", "breach"],
])("over gRPC the resource %s: %s", (name, is) => {
  const agent = agents["0.3"];
  const on = { ...agent.interfaces[0]!, binding: "GRPC" as const };
  const exchange = exchangeOf(url, { headers: [] });
  const given = {
    on,
    exchange,
    method: "/a2a.v1.A2AService/GetTask",
    operation: "GetTask",
    written: { name },
  } as const;
  const reply = { is: "malformed", because: "not looked at" } as const;
  const found = judgeCall({ is: "call", ...given, reply }, { agent, before: [] });
  expect(found.filter(({ check }) => check.id === "V03-GRPC-003").flatMap(({ findings }) => findings)).toMatchObject([
    { is },
  ]);
});
