import { expect, test } from "vitest";
import type { AgentFound, ExchangeRecorded, RunEvent } from "../report/events.ts";
import { foldRun } from "../report/fold.ts";
import type { ConformanceResult } from "../report/result.ts";
import { jsonrpc, result } from "../report/run.fixture.ts";
import { answersIn, splitEventsIn } from "./answers.ts";
import { traitsOf } from "./traits.ts";

function answered(operation: string, text: string, params: object = { message: { messageId: "m", parts: [] } }) {
  return {
    event: "exchange",
    id: "x1",
    operation,
    working: true,
    entry: {
      request: { url: "http://127.0.0.1/", postData: { text: JSON.stringify({ jsonrpc: "2.0", params }) } },
      response: { status: 200, content: { text } },
    },
  } as unknown as ExchangeRecorded;
}

const rpc = (result: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, result });
const task = (state: string, more: object = {}): object => ({ id: "t", status: { state }, ...more });
const word = { artifactId: "a", parts: [{ text: "word" }] };

test.each([
  ["a 1.0 task", rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [word] }) }), ["task"], []],
  ["a 0.3 task", rpc({ kind: "task", ...task("completed", { artifacts: [word] }) }), ["task"], []],
  ["a message", rpc({ message: { parts: [{ text: "hi" }] } }), ["message"], []],
  [
    "text in the status",
    rpc({ task: { status: { state: "TASK_STATE_COMPLETED", message: word } } }),
    ["status-text"],
    [],
  ],
  ["a task at work", rpc({ task: task("TASK_STATE_WORKING") }), ["early-task"], []],
  ["a question", rpc({ task: task("TASK_STATE_INPUT_REQUIRED") }), ["input-required"], ["input-required"]],
  [
    "a file beside text",
    rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [word, { parts: [{ url: "http://x" }] }] }) }),
    ["task"],
    ["files"],
  ],
  [
    "a file in a message beside text",
    rpc({ message: { parts: [{ text: "hi" }, { url: "http://x" }] } }),
    ["message"],
    ["other-files"],
  ],
  ["a message of data alone", rpc({ message: { parts: [{ data: {} }] } }), undefined, ["other-files"]],
  [
    "a file in the status",
    rpc({ task: { status: { state: "TASK_STATE_COMPLETED", message: { parts: [{ text: "hi" }, { raw: "aGk=" }] } } } }),
    ["status-text"],
    ["other-files"],
  ],
  ["nothing that can be read", "<html>", undefined, []],
])("%s", (_what, text, answers, also) => {
  const read = answersIn([answered("SendMessage", text)]);
  expect([read.answers.SendMessage, read.also]).toEqual([answers && [answers], also]);
});

test("a stream is read as a whole, and chunks are noticed", () => {
  const events = [
    { task: task("TASK_STATE_WORKING") },
    { artifactUpdate: { artifact: word, lastChunk: true } },
    { artifactUpdate: { artifact: word, append: true, lastChunk: true } },
    { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
  ];
  const text = events.map((event) => `data: ${rpc(event)}\n\n`).join("");
  expect(answersIn([answered("SendStreamingMessage", text)]).answers).toEqual({ SendStreamingMessage: [["chunks"]] });
  const whole = events
    .toSpliced(2, 1)
    .map((event) => `data: ${rpc(event)}\n\n`)
    .join("");
  expect(answersIn([answered("SendStreamingMessage", whole)]).answers).toEqual({ SendStreamingMessage: [["task"]] });
});

test("an artifact that no event closes is noticed", () => {
  const events = [
    { artifactUpdate: { artifact: word } },
    { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
  ];
  const text = events.map((event) => `data: ${rpc(event)}\n\n`).join("");
  expect(answersIn([answered("SendStreamingMessage", text)]).answers).toEqual({
    SendStreamingMessage: [["open-artifact"]],
  });
});

test("answers to messages that ask for an early answer, or go on with a task, are not ordinary", () => {
  const early = rpc({ task: task("TASK_STATE_WORKING") });
  const message = { messageId: "m", parts: [] };
  const asked = [
    { message, configuration: { returnImmediately: true } },
    { message, configuration: { blocking: false } },
    { message: { ...message, taskId: "t" } },
  ].map((params) => answered("SendMessage", early, params));
  expect(answersIn(asked)).toEqual({ answers: {}, also: [] });
});

test("a question is an answer only if the agent gives no other", () => {
  const question = answered("SendMessage", rpc({ task: task("TASK_STATE_INPUT_REQUIRED") }));
  const message = answered("SendMessage", rpc({ message: word }));
  expect(answersIn([question, message])).toEqual({ answers: { SendMessage: [["message"]] }, also: ["input-required"] });
});

test("a prompt that was sent but not streamed counts for streams as well, unless its task came early", () => {
  const message = (text: string) => ({ message: { messageId: "m", parts: [{ text }] } });
  const stream = answered("SendStreamingMessage", `data: ${rpc({ message: word })}\n\n`, message("stream"));
  const early = answered("SendMessage", rpc({ task: task("TASK_STATE_WORKING") }), message("slow"));
  const sent = answered(
    "SendMessage",
    rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [word] }) }),
    message("send"),
  );
  expect(answersIn([stream, early, sent]).answers).toEqual({
    SendMessage: [["early-task"], ["task"]],
    SendStreamingMessage: [["message"], ["task"]],
  });
  expect(answersIn([sent]).answers).toEqual({ SendMessage: [["task"]] });
});

test.each([
  ["several data lines", 'data: {\ndata:   "message": {}\ndata: }\n\n', ["0.3 HTTP+JSON"]],
  ["several data lines that end with CR", "data: {\rdata: }\r\r", ["0.3 HTTP+JSON"]],
  ["one data line each", `data: ${rpc({})}\n\ndata: ${rpc({})}\n\n`, []],
  ["a comment between", `: ping\n\ndata: ${rpc({})}\n\n`, []],
])("events with %s", (_what, text, places) => {
  const on = { url: "http://127.0.0.1/", dialect: "0.3", binding: "HTTP+JSON" } as const;
  expect(splitEventsIn([{ ...answered("SendStreamingMessage", text), interface: on }])).toEqual(places);
});

const cardUrl = "http://127.0.0.1:1/.well-known/agent-card.json";

/** The traits of an agent with this card, of which Assay tests only the interfaces of `tested`. */
function traitsWith(
  card: object,
  {
    interfaces = [],
    leftOut = [],
    broken = [],
    results = broken.map((rule) => result(rule, { verdict: "fail" })),
  }: Partial<AgentFound> & { broken?: readonly string[]; results?: readonly ConformanceResult[] } = {},
) {
  const events = [
    { event: "run-started", at: "2026-11-18T08:00:00.000Z", depth: "quick" },
    {
      event: "agent-found",
      cardUrl,
      name: "Agent",
      version: "1",
      dialects: [{ dialect: "1.0", because: "its card", declared: true }],
      interfaces,
      leftOut,
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    },
    {
      event: "exchange",
      id: "card",
      entry: {
        startedDateTime: "2026-11-18T08:00:00.000Z",
        time: 1,
        request: { url: cardUrl },
        response: { status: 200, content: { text: JSON.stringify(card) } },
      },
    },
    ...results.map((each) => ({ event: "check-finished", result: each })),
  ] as unknown as readonly RunEvent[];
  return traitsOf(events, foldRun(events))!;
}

const listed = (binding: string, url = "http://127.0.0.1:1/a", tenant?: string) => ({
  url,
  protocolBinding: binding,
  protocolVersion: "1.0",
  ...(tenant !== undefined && { tenant }),
});
const named = (binding: string, url = "http://127.0.0.1:1/a") => ({ url, dialect: "1.0", binding });

test("interfaces have the order of the card, also those that Assay did not test", () => {
  const { interfaces } = traitsWith(
    { supportedInterfaces: [listed("GRPC", "127.0.0.1:2"), listed("JSONRPC"), listed("HTTP+JSON")] },
    {
      interfaces: [named("HTTP+JSON"), named("JSONRPC")],
      leftOut: [{ interface: named("GRPC"), because: "excluded by --binding" }],
    },
  );
  expect(interfaces.map(({ on }) => on)).toEqual(["1.0 GRPC", "1.0 JSONRPC", "1.0 HTTP+JSON"]);
});

test("a second interface of the same binding hides nothing of the first, and an empty tenant is none", () => {
  const elsewhere = "http://127.0.0.1:3/a";
  const { interfaces } = traitsWith(
    { supportedInterfaces: [listed("JSONRPC", undefined, ""), listed("JSONRPC", elsewhere, "acme")] },
    {
      interfaces: [named("JSONRPC")],
      leftOut: [{ interface: named("JSONRPC", elsewhere), because: "Assay tests the first" }],
    },
  );
  expect(interfaces).toEqual([
    { on: "1.0 JSONRPC", elsewhere: false, tenant: false, repeated: true },
    { on: "1.0 JSONRPC", elsewhere: true, tenant: true, repeated: true },
  ]);
});

test.each([
  ["an address that is listed twice", [listed("JSONRPC"), listed("JSONRPC", undefined, "")], false],
  [
    "an address with and without a slash",
    [listed("JSONRPC", "http://127.0.0.1:1"), listed("JSONRPC", "http://127.0.0.1:1/")],
    false,
  ],
  ["two bindings", [listed("JSONRPC"), listed("HTTP+JSON", "http://127.0.0.1:1/b")], false],
  [
    "two versions",
    [listed("JSONRPC"), { ...listed("JSONRPC", "http://127.0.0.1:1/b"), protocolVersion: "0.3" }],
    false,
  ],
  ["two addresses", [listed("JSONRPC"), listed("JSONRPC", "http://127.0.0.1:1/b")], true],
  ["two tenants at one address", [listed("JSONRPC", undefined, "a"), listed("JSONRPC", undefined, "b")], false],
])("a card with %s: repeats an interface is %s", (_what, supportedInterfaces, repeated) => {
  const { interfaces } = traitsWith({ supportedInterfaces }, { interfaces: [named("JSONRPC")] });
  expect(interfaces[0]!.repeated).toBe(repeated);
});

test.each([
  ["1.0", false],
  ["0.3.0", false],
  ["1.1", true],
  ["2.0", true],
])("a card that also lists %s has another version: %s", (protocolVersion, other) => {
  const supportedInterfaces = [{ ...listed("JSONRPC"), protocolVersion }, listed("JSONRPC")];
  expect(traitsWith({ supportedInterfaces }).listsOtherVersion).toBe(other);
});

const schemes = {
  token: { httpAuthSecurityScheme: { scheme: "Bearer" } },
  key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
};
const older = { token: { type: "http", scheme: "bearer" }, key: { type: "apiKey", in: "header", name: "X-Key" } };
const olderCard = {
  name: "Agent",
  description: "An agent.",
  url: "http://127.0.0.1:1/a",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};
const needing = (...names: readonly string[]) => ({
  schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])),
});

test.each([
  ["no login", {}, "none"],
  ["anonymous callers only", { securityRequirements: [{}] }, "none"],
  ["a bearer token", { securitySchemes: schemes, securityRequirements: [needing("token")] }, "bearer"],
  [
    "a bearer token of 0.3",
    { ...olderCard, protocolVersion: "0.3.0", securitySchemes: older, security: [{ token: [] }] },
    "bearer",
  ],
  [
    "a bearer token or a key",
    { securitySchemes: schemes, securityRequirements: [needing("key"), needing("token")] },
    "bearer",
  ],
  ["a bearer token and a key", { securitySchemes: schemes, securityRequirements: [needing("key", "token")] }, "other"],
  ["a key", { securitySchemes: schemes, securityRequirements: [needing("key")] }, "other"],
  [
    "a key of 0.3",
    { ...olderCard, protocolVersion: "0.3.0", securitySchemes: older, security: [{ key: [] }] },
    "other",
  ],
  ["a scheme that the card does not define", { securityRequirements: [needing("token")] }, "other"],
  ["members of another version", { supportedInterfaces: [listed("JSONRPC")], security: [{ token: [] }] }, "other"],
  ["what 0.1 calls authentication", { ...olderCard, authentication: { schemes: ["Bearer"] } }, "bearer"],
  ["a token or nothing", { securitySchemes: schemes, securityRequirements: [needing("token"), {}] }, "optional"],
] as const)("a card with %s", (_what, card, login) => {
  expect(traitsWith(card).login).toBe(login);
});

test.each([
  ["none", [{ id: "a" }, { id: "b", securityRequirements: [] }], false],
  ["one", [{ id: "a" }, { id: "b", securityRequirements: [needing("token")] }], true],
  ["one of 0.3", [{ id: "a", security: [{ token: [] }] }], true],
])("skills that require a login: %s", (_what, skills, hasSkillLogin) => {
  expect(traitsWith({ skills }).hasSkillLogin).toBe(hasSkillLogin);
});

test("an agent requires A2A-Version where it rejects requests without it, and no warning says otherwise", () => {
  const requires = (verdict: "pass" | "fail", more: object = {}) =>
    traitsWith({}, { results: [result("VER-008", { verdict, interface: jsonrpc, ...more })] }).requiresVersion;
  expect(requires("pass")).toEqual(["1.0 JSONRPC"]);
  expect(requires("pass", { warning: "a reading of the text allows it" })).toEqual([]);
  expect(requires("fail")).toEqual([]);
  expect(traitsWith({}).requiresVersion).toEqual([]);
});

test.each([
  ["JSONRPC-006", true],
  ["SEND-006", true],
  ["SEND-010", false],
  ["JSONRPC-026", false],
])("an agent that breaks %s may accept a malformed message: %s", (rule, isLenient) => {
  expect(traitsWith({}, { broken: [rule] }).isLenient).toBe(isLenient);
});
