import { describe, expect, test } from "vitest";
import { offerOf } from "../../../client/agent-offer.ts";
import type { ClientCall, ClientRequest } from "../../../client/client-request.ts";
import { createRequestReader } from "../../../client/read-request.ts";
import { sentAlong } from "./credentials.ts";
import { exchangeOf, rulesBroken, type Sent } from "./judged.fixture.ts";

const url = "https://agent.test/a2a";
const card = (more: object = {}) => ({
  name: "Agent",
  description: "An agent",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { pushNotifications: true, extendedAgentCard: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  ...more,
});
const bearer = { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } };
const agents = {
  open: card(),
  secured: card({ securitySchemes: bearer, securityRequirements: [{ schemes: { bearer: { list: [] } } }] }),
  // Whoever comes is let in; those with a login see more.
  optional: card({ securitySchemes: bearer, securityRequirements: [{ schemes: {} }] }),
  keyed: card({
    securitySchemes: { key: { apiKeySecurityScheme: { location: "query", name: "key" } } },
    securityRequirements: [{ schemes: { key: { list: [] } } }],
  }),
  certified: card({
    securitySchemes: { ...bearer, tls: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { tls: { list: [] } } }],
  }),
};
type Agent = keyof typeof agents;

const plain = [
  ["A2A-Version", "1.0"],
  ["Content-Type", "application/json"],
] as const;
const secret = "a-token-of-some-length";
const logged = [...plain, ["authorization", `Bearer ${secret}`]] as const;
const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const send = (text = "hi", configuration?: object) =>
  call("SendMessage", {
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
    ...(configuration && { configuration }),
  });
const push = (taskId: string, token: string, to = "https://client.test/hook") =>
  call("CreateTaskPushNotificationConfig", { taskId, url: to, token });

const extended = { body: call("GetExtendedAgentCard"), answer: agents.secured };
const one = [
  { headers: plain, body: send(), answer: task("t1") },
  { headers: plain, body: send(), answer: task("t2") },
];
function task(id: string): object {
  return { task: { id, contextId: "c", status: { state: "TASK_STATE_WORKING" } } };
}

test.each<[string, Agent, readonly string[], readonly Sent[]]>([
  ["a login on every request", "secured", [], [{ headers: logged, body: send() }]],
  ["a key in the query", "keyed", [], [{ to: `${url}?key=abc`, headers: plain, body: send() }]],
  ["no login where none is asked for", "open", [], [{ headers: plain, body: send() }]],
  [
    "a first request without, before the login is asked for",
    "secured",
    [],
    [
      { headers: plain, body: send() },
      { headers: logged, body: send() },
    ],
  ],
  [
    "with and without, where both are let in",
    "optional",
    [],
    [
      { headers: logged, body: send() },
      { headers: plain, body: send() },
    ],
  ],
  [
    "a login that is forgotten",
    "secured",
    ["AUTH-005"],
    [
      { headers: logged, body: send(), answer: task("t1") },
      { headers: plain, body: call("GetTask", { id: "t1" }) },
    ],
  ],
  [
    "a certificate, which no request shows",
    "certified",
    [],
    [
      { headers: logged, body: send() },
      { headers: plain, body: send() },
    ],
  ],
  ["a login within the message", "secured", ["AUTH-005"], [{ headers: logged, body: send(`use ${secret}`) }]],
  ["the extended card with a login", "secured", [], [{ headers: logged, ...extended }]],
  ["the extended card without one", "secured", ["XCARD-011"], [{ headers: plain, ...extended }]],
  ["a certificate for the extended card", "certified", [], [{ headers: plain, ...extended }]],
])("%s (%s agent)", async (_what, agent, rules, sent) => {
  expect(await rulesBroken(offerOf(agents[agent], `${url}/card.json`), sent)).toEqual(rules);
});

test("a client that polls without a pause is judged by each call alone, where no login is asked for", async () => {
  const agent = offerOf(agents.open, `${url}/card.json`);
  const request = (await createRequestReader(agent))(exchangeOf(url, { headers: plain, body: send() }));
  const before = new Proxy<ClientRequest[]>([], {
    get() {
      throw new Error("reads thousands of earlier calls");
    },
  });
  expect(sentAlong.judge(request as ClientCall, { agent, before })).toBeUndefined();
});

describe("webhooks", () => {
  test.each<[string, readonly string[], readonly object[]]>([
    ["over https, with a token for each", [], [push("t1", "one"), push("t2", "two")]],
    ["on the client's own machine", [], [push("t1", "one", "http://127.0.0.1:9/hook")]],
    ["over http", ["PUSH-040"], [push("t1", "one", "http://client.test/hook")]],
    ["over http within a send", ["PUSH-040"], [send("hi", { taskPushNotificationConfig: { url: "http://c.test/" } })]],
    ["one token for two tasks", ["PUSH-041"], [push("t1", "one"), push("t2", "one")]],
    ["one task again", [], [push("t1", "one"), push("t1", "one")]],
  ])("%s", async (_what, rules, bodies) => {
    const sent = [...one, ...bodies.map((body) => ({ headers: plain, body }))];
    expect(await rulesBroken(offerOf(agents.open, `${url}/card.json`), sent)).toEqual(rules);
  });
});
