import { describe, expect, test } from "vitest";
import { sdkCalls } from "../generated/sdk-calls.ts";
import { resultsOf } from "./document.ts";
import type { RunEvent } from "./events.ts";
import { failuresOf } from "./fix-first.ts";
import { foldRun } from "./fold.ts";
import { exitCodeOf } from "./gate.ts";
import type { ConformanceResult } from "./result.ts";
import { basics, checked, finished, found, grpc, jsonrpc, result, started } from "./run.fixture.ts";

const python: RunEvent = { event: "sdk-recognised", name: "a2a-python", because: "looks like a2a-sdk (Python)" };
const listed = result("LIST-022", { verdict: "fail", code: "accepted", interface: jsonrpc, remedy: "Refuse it." });

const report = (
  results: readonly ConformanceResult[],
  { sdk = python as RunEvent | null, ignore = false, dialect = "1.0" } = {},
) =>
  foldRun([
    { ...started, ...(ignore && { ignoreKnownSdk: true as const }) },
    { ...found, dialects: [{ dialect, because: "its card", declared: true }] },
    ...checked([...basics, ...results]),
    ...(sdk ? [sdk] : []),
    finished,
  ]);

const faultOf = (results: readonly ConformanceResult[], more?: Parameters<typeof report>[1]) =>
  resultsOf(report(results, more)).find(({ test: id }) => id === results[0]!.test)?.knownFault?.sdk;

describe("a failure", () => {
  test("is a known fault where rule, binding, version and code fit", () =>
    expect(faultOf([listed])).toBe("a2a-sdk 1.3.0"));

  test.each<[string, Partial<ConformanceResult>]>([
    ["over another binding", { interface: grpc }],
    ["in another way", { code: "broken" }],
    ["in another version of the protocol", { dialect: "0.3" }],
    ["that is a warning", { verdict: "pass", warning: "accepted" }],
    ["of a client", { party: "client" }],
  ])("%s is not", (_, other) => expect(faultOf([{ ...listed, ...other }])).toBeUndefined());

  test("is not without an SDK, and not of another version", () => {
    expect(faultOf([listed], { sdk: null })).toBeUndefined();
    expect(faultOf([listed], { sdk: { ...python, version: "1.4.0" } as RunEvent })).toBeUndefined();
  });

  test("is one of the newest release that speaks the agent's version", () => {
    const crash = result("REST-035", {
      verdict: "fail",
      code: "crashed",
      dialect: "0.3",
      interface: { ...jsonrpc, dialect: "0.3", binding: "HTTP+JSON" },
    });
    expect(faultOf([crash], { dialect: "0.3" })).toBe("a2a-sdk 0.3.26");
    expect(faultOf([crash])).toBeUndefined();
  });
});

test("a known fault counts, unless it is to be ignored", () => {
  expect(exitCodeOf(report([listed]))).toBe(1);
  expect(exitCodeOf(report([listed], { ignore: true }))).toBe(0);
  const own = result("GET-001", { verdict: "fail", interface: jsonrpc });
  expect(exitCodeOf(report([listed, own], { ignore: true }))).toBe(1);
  expect(failuresOf(report([listed, own])).map(({ test: id }) => id)).toEqual(["GET-001", "LIST-022"]);
});

test("a remedy names the call of the SDK, unless the SDK is at fault", () => {
  const stream = result("STREAM-003", {
    verdict: "fail",
    code: "broken",
    interface: jsonrpc,
    remedy: "Send the Task.",
  });
  const remedyOf = (one: ConformanceResult) => resultsOf(report([one])).find(({ test: id }) => id === one.test)?.remedy;
  expect(remedyOf(stream)).toBe(`Send the Task. With a2a-sdk: ${sdkCalls["STREAM-003"]!.python}`);
  expect(remedyOf({ ...stream, code: "continued-without-task" })).toBe("Send the Task.");
  expect(remedyOf(listed)).toBe("Refuse it.");
});
