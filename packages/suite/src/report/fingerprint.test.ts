import { expect, test } from "vitest";
import { resultsOf } from "./document.ts";
import { foldRun } from "./fold.ts";
import { checked, finished, found, grpc, jsonrpc, result, started } from "./run.fixture.ts";

const other = { ...jsonrpc, url: "http://agent.test/other" };

const fingerprints = (...results: Parameters<typeof checked>[0]): (string | undefined)[] =>
  resultsOf(foldRun([started, { ...found, interfaces: [jsonrpc, other, grpc] }, ...checked(results), finished])).map(
    ({ fingerprint }) => fingerprint,
  );

test("a finding is named by its rule, version, binding and kind of breach", () => {
  expect(
    fingerprints(
      result("GET-001", { verdict: "fail", interface: jsonrpc }),
      result("GET-002", { verdict: "fail", interface: grpc, code: "internal-error" }),
      result("GET-003", { warning: "late", code: "null-member", dialect: "0.3" }),
      result("GET-004", { interface: jsonrpc }),
      result("GET-005", { verdict: "blocked", rootCause: "GET-001" }),
    ),
  ).toEqual([
    "GET-001/1.0/JSONRPC/broken",
    "GET-002/1.0/GRPC/internal-error",
    "GET-003/0.3/card/null-member",
    undefined,
    undefined,
  ]);
});

test("what the agent said, when, and where it listens is not in it", () => {
  const seen = (message: string, url: string) => {
    const on = { ...jsonrpc, url };
    const events = [
      { ...started, run: message, at: "2026-11-16T00:00:00.000Z" },
      { ...found, interfaces: [on] },
      ...checked([result("GET-001", { verdict: "fail", interface: on, message, evidence: [message] })]),
    ];
    return resultsOf(foldRun(events))[0]!.fingerprint;
  };
  expect(seen("task 1", "http://127.0.0.1:41001/")).toBe(seen("task 2", "http://127.0.0.1:52002/"));
});

test("two addresses of one binding are told apart, whichever of them fails", () => {
  expect(
    fingerprints(
      result("GET-001", { verdict: "fail", interface: jsonrpc }),
      result("GET-001", { verdict: "fail", interface: other }),
      result("GET-002", { verdict: "fail", interface: other }),
    ),
  ).toEqual(["GET-001/1.0/JSONRPC/broken", "GET-001/1.0/JSONRPC-2/broken", "GET-002/1.0/JSONRPC-2/broken"]);
});
