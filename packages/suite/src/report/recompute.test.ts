import fc from "fast-check";
import { expect, test } from "vitest";
import { foldRun } from "./fold.ts";
import { headMismatch } from "./recompute.ts";
import type { ConformanceResult } from "./result.ts";
import { basics, checked, finished, found, grpc, jsonrpc, rest, result, runOf, started } from "./run.fixture.ts";
import { verdictNames } from "./verdict.ts";

const anyResult: fc.Arbitrary<ConformanceResult> = fc
  .record({
    id: fc.constantFrom("A-1", "A-2", "B-1", "SEND-001"),
    on: fc.constantFrom(undefined, jsonrpc, rest, grpc),
    verdict: fc.constantFrom(...verdictNames),
    disputed: fc.boolean(),
    warning: fc.boolean(),
  })
  .map(({ id, on, verdict, disputed, warning }) =>
    result(id, {
      verdict,
      rootCause: "A-1",
      ...(on && { interface: on }),
      ...(disputed && { disputed: true }),
      ...(warning && { warning: "slow" }),
    }),
  );

test("no report of a run contradicts its own results", () => {
  const key = ({ test: id, interface: on }: ConformanceResult) => `${id} ${on?.binding}`;
  fc.assert(
    fc.property(fc.uniqueArray(anyResult, { selector: key, maxLength: 16 }), (results) => {
      // As a file has it.
      const report = JSON.parse(JSON.stringify(foldRun(runOf([...basics, ...results]))));
      expect(headMismatch(report)).toBeUndefined();
    }),
  );
});

test("nor does one of a run that goes on with another, or was cut off", () => {
  const resumes = { run: "before", at: started.at, results: 2, workingMessages: 3, duration_ms: 12.5 };
  const planned = { event: "planned" as const, checks: 2, rules: 2, workingMessages: 8, withoutCheck: 12 };
  const resumed = [{ ...started, resumes }, found, planned, ...checked(basics), finished];
  expect(headMismatch(foldRun(resumed))).toBeUndefined();
  expect(headMismatch(foldRun([started, found, planned, ...checked(basics)]))).toBeUndefined();
});
