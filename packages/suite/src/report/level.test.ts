import { expect, test } from "vitest";
import { type LevelInput, levelOf } from "./level.ts";
import type { ConformanceResult } from "./result.ts";
import { basics, grpc, jsonrpc, result } from "./run.fixture.ts";

const level = (results: readonly ConformanceResult[], about: Partial<LevelInput> = {}) =>
  levelOf({
    results: [...basics, ...results],
    streaming: true,
    pushNotifications: true,
    ended: true,
    untested: 0,
    ...about,
  });

const card = (id: string, about: Partial<ConformanceResult>) => result(id, { category: "agent-card", ...about });
const stream = (id: string, about: Partial<ConformanceResult>) => result(id, { category: "streaming", ...about });
const push = (id: string, about: Partial<ConformanceResult>) =>
  result(id, { category: "lifecycle", tags: ["push-notifications"], ...about });

test("full: every applicable rule was examined and passed", () => {
  const results = [
    stream("STREAM-001", { interface: jsonrpc }),
    push("PUSH-001", { interface: jsonrpc, warning: "slow" }),
    result("GRPC-001", { verdict: "not-applicable" }),
  ];
  expect(level(results)).toEqual({ level: "full", because: "every applicable rule was examined and passed" });
});

test.each([
  ["streaming not offered", { streaming: false }],
  ["push not offered", { pushNotifications: false }],
  ["streaming and push not offered", { streaming: false, pushNotifications: false }],
])("partial: %s", (because, capabilities) => {
  expect(level([], capabilities)).toEqual({ level: "partial", because });
});

test("partial: an optional part that fails is told apart from one that is not offered", () => {
  const fails = stream("STREAM-003", { verdict: "fail" });
  expect(level([fails])).toEqual({ level: "partial", because: "streaming fails (STREAM-003)" });
  expect(level([fails], { pushNotifications: false })).toEqual({
    level: "partial",
    because: "streaming fails (STREAM-003); push not offered",
  });
  expect(level([fails, push("PUSH-001", { verdict: "fail" })])).toEqual({
    level: "partial",
    because: "streaming and push fail (STREAM-003, PUSH-001)",
  });
});

test("partial: the failure is named, and not the rules that it blocks", () => {
  const cause = push("PUSH-001", { verdict: "fail" });
  expect(level([cause, push("PUSH-002", { verdict: "blocked", rootCause: "PUSH-001" })])).toEqual({
    level: "partial",
    because: "push fails (PUSH-001)",
  });
});

test.each([
  "prompt",
  "credentials",
  "login",
  "egress",
  "webhook",
  "depth",
  "budget",
  "filter",
  "unstable",
  "not-triggered",
] as const)("partial: a rule that was not examined for %s is no part of a full level", (unexamined) => {
  expect(level([result("LIST-001", { verdict: "not-examined", unexamined })])).toEqual({
    level: "partial",
    because: "1 rule that applies was not examined on every interface",
  });
});

test("a rule that had no occasion on one interface but on another was examined", () => {
  const results = [
    result("CTX-001", { interface: jsonrpc }),
    result("CTX-001", { interface: grpc, verdict: "not-examined", unexamined: "not-triggered" }),
  ];
  expect(level(results).level).toBe("full");
});

test.each([
  ["left out by the budget", { verdict: "not-examined", unexamined: "budget" }],
  ["broken down on our side", { verdict: "error" }],
] as const)("partial: a rule %s on one interface is open, whatever another one showed", (_, about) => {
  const results = [result("CTX-001", { interface: jsonrpc }), result("CTX-001", { interface: grpc, ...about })];
  expect(level(results)).toEqual({
    level: "partial",
    because: "1 rule that applies was not examined on every interface",
  });
});

test("partial: a run that stopped early claims no more, though nothing failed", () => {
  expect(level([], { ended: false })).toEqual({
    level: "partial",
    because: "the run stopped before it examined everything",
  });
});

test("minimal: card and sending work, a rule of the core is broken", () => {
  const results = ["SEND-010", "HIST-001", "DATA-003", "CTX-002", "CANCEL-002"].map((id) =>
    result(id, { verdict: "fail" }),
  );
  expect(level(results)).toEqual({
    level: "minimal",
    because: "core rules are broken (SEND-010, HIST-001, DATA-003, CTX-002 and 1 more)",
  });
});

test("partial: what is broken lies beyond the core", () => {
  expect(level([result("LIST-003", { verdict: "fail" })])).toMatchObject({ level: "partial" });
  expect(level([result("ERR-020", { verdict: "fail", category: "error-handling" })])).toMatchObject({
    level: "partial",
    because: expect.stringContaining("error-handling fails (ERR-020)"),
  });
  expect(
    level([result("JSONRPC-008", { verdict: "fail", category: "error-handling", tags: ["bindings"], section: "9.5" })]),
  ).toMatchObject({
    level: "partial",
    because: expect.stringContaining("a binding fails (JSONRPC-008)"),
  });
});

test("partial: a rule of the core that is blocked weighs no more than the failure that blocks it", () => {
  const cause = push("PUSH-005", { verdict: "fail" });
  expect(level([cause, result("CTX-002", { verdict: "blocked", rootCause: "PUSH-005" })])).toEqual({
    level: "partial",
    because: "push fails (PUSH-005)",
  });
});

test("partial: a binding states a rule about push or streaming, and it is broken", () => {
  const config = result("JSONRPC-024", {
    verdict: "fail",
    category: "interop",
    tags: ["bindings", "push-notifications"],
  });
  expect(level([config])).toMatchObject({ level: "partial" });
  const frames = result("JSONRPC-017", { verdict: "fail", category: "streaming", tags: ["interop", "bindings"] });
  expect(level([frames])).toMatchObject({ level: "partial" });
});

test.each([
  ["not examined", { verdict: "not-examined", unexamined: "prompt" }],
  ["blocked", { verdict: "blocked", rootCause: "PUSH-005" }],
  ["passed", {}],
] as const)("the level is the same whether a rule on a short task is %s", (_, about) => {
  const results = [
    push("PUSH-005", { verdict: "fail" }),
    result("JSONRPC-024", { category: "interop", tags: ["bindings", "push-notifications"], ...about }),
  ];
  expect(level(results).level).toBe("partial");
});

test("non-conformant: the card is not valid", () => {
  expect(level([card("CARD-004", { verdict: "fail" })])).toEqual({
    level: "non-conformant",
    because: "the card is not valid (CARD-004)",
  });
});

test.each([
  ["SEND-001", "fail"],
  ["SEND-001", "blocked"],
  ["GET-001", "fail"],
  ["GET-001", "blocked"],
] as const)("non-conformant: %s is a basic, and it is %s on one interface", (id, verdict) => {
  const cause = result("REST-001", { verdict: "fail", interface: grpc });
  expect(level([cause, result(id, { verdict, interface: grpc, rootCause: "REST-001" })])).toEqual({
    level: "non-conformant",
    because: `the basics do not work (${id})`,
  });
});

test("non-conformant: only the basic rule that failed is named, not one that it blocks", () => {
  const results = [
    result("SEND-001", { verdict: "fail" }),
    result("GET-001", { verdict: "blocked", rootCause: "SEND-001" }),
  ];
  expect(level(results).because).toBe("the basics do not work (SEND-001)");
});

test("partial: at one address of the card something else answers, at the others the agent does", () => {
  const results = [
    card("CARD-016", { verdict: "fail", interface: grpc }),
    result("SEND-001", { verdict: "blocked", rootCause: "CARD-016", interface: grpc }),
  ];
  expect(level(results)).toEqual({ level: "partial", because: "1 interface of the card does not work (CARD-016)" });
});

test("non-conformant: at every address of the card something else answers", () => {
  const results = [
    card("CARD-001", {}),
    card("CARD-016", { verdict: "fail", interface: grpc }),
    result("SEND-001", { verdict: "blocked", rootCause: "CARD-016", interface: grpc }),
  ];
  expect(levelOf({ results, streaming: true, pushNotifications: true, ended: true, untested: 0 })).toEqual({
    level: "non-conformant",
    because: "the basics do not work (CARD-016)",
  });
});

test("partial: an interface could not be tested", () => {
  expect(level([], { untested: 1 })).toEqual({
    level: "partial",
    because: "1 interface of the card could not be tested",
  });
});

test("what no failure that is written down holds up costs no more than the best level", () => {
  expect(level([result("CTX-002", { verdict: "blocked", rootCause: "PUSH-001" })])).toEqual({
    level: "partial",
    because: "1 rule that applies was not examined on every interface",
  });
});

test("an agent that makes no tasks needs no GetTask", () => {
  expect(level([result("GET-001", { verdict: "not-applicable" })]).level).toBe("full");
});

test("no level: nothing was sent", () => {
  const results = [basics[0]!, result("SEND-001", { verdict: "not-examined", unexamined: "depth" })];
  expect(levelOf({ results, streaming: true, pushNotifications: true, ended: true, untested: 0 })).toEqual({
    level: null,
    because: "sending a message was not examined, which every level requires",
  });
});

test("no level: the card was left out", () => {
  const results = [card("CARD-001", { verdict: "not-examined", unexamined: "filter" }), basics[1]!];
  expect(levelOf({ results, streaming: true, pushNotifications: true, ended: true, untested: 0 })).toEqual({
    level: null,
    because: "the card was not examined, which every level requires",
  });
});

test("a card that is not valid is said even when nothing was sent", () => {
  const results = [card("CARD-004", { verdict: "fail" })];
  expect(levelOf({ results, streaming: false, pushNotifications: false, ended: true, untested: 0 }).level).toBe(
    "non-conformant",
  );
});

test("a contested failure decides nothing, nor does what it holds up", () => {
  const results = [
    result("ERR-001", { verdict: "fail", disputed: true }),
    result("ERR-002", { verdict: "blocked", rootCause: "ERR-001" }),
  ];
  expect(level(results)).toEqual({
    level: "partial",
    because: "1 rule that applies was not examined on every interface",
  });
});

test("a failure that a baseline expects is a failure: the level speaks of the agent, not of our plans", () => {
  expect(level([result("HIST-003", { verdict: "fail", expected: "fixed next month" })]).level).toBe("minimal");
});

test("a broken SHOULD is a pass with a warning, and costs no level", () => {
  expect(level([result("CACHE-001", { level: "SHOULD", warning: "no Cache-Control" })]).level).toBe("full");
});
