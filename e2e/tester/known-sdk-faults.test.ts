import type { Testbed } from "@assay/agents";
import { type TestOptions, testAgent } from "@assay/suite";
import {
  type ConformanceReport,
  exitCodeOf,
  foldRun,
  outcomeWord,
  type RunEvent,
  resultsOf,
} from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, describe, expect, test } from "vitest";
import { startRewritingProxy } from "../fixtures/rewriting-proxy.fixture.ts";
import { startFixtures } from "../proof/proving.fixture.ts";

/** An agent that lists everything for an unknown status, as a2a-sdk 1.3.0 does, with and without the words of that SDK. */

const bed: Testbed = await startFixtures();
const path = "mutants/LIST-022.overlooks";
afterAll(() => bed.close(0));

/** Error messages of a2a-sdk, by the code of JSON-RPC. */
const python: Readonly<Record<number, string>> = {
  [-32009]: "A2A version '99.0' is not supported by this handler. Expected version '1.0'.",
  [-32001]: "Task 1234 was specified but does not exist",
};

/** One of @a2a-js/sdk. */
const javascript: Readonly<Record<number, string>> = {
  [-32600]: "Invalid JSON-RPC Request.",
};

function reworded(body: string, words: Readonly<Record<number, string>>): string {
  if (!body.startsWith("{")) return body;
  const json = JSON.parse(body) as { error?: { code: number; message: string } };
  if (json.error) json.error.message = words[json.error.code] ?? json.error.message;
  return JSON.stringify(json);
}

async function tested(
  words: Readonly<Record<number, string>>,
  more: Partial<TestOptions> = {},
): Promise<ConformanceReport> {
  const proxy = await startRewritingProxy(bed.url, ({ status, text }) => ({ status, text: reworded(text, words) }));
  try {
    const events: RunEvent[] = [];
    const run = testAgent({
      url: `${proxy.url}/${path}`,
      run: "sdk",
      version: "test",
      connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
      depth: "full",
      bindings: ["JSONRPC"],
      dialects: ["1.0"],
      only: ["LIST-022", "VER-005", "CTX-008", "JSONRPC-008"],
      ...more,
    });
    for await (const event of run) events.push(event);
    return foldRun(events);
  } finally {
    proxy.close();
  }
}

const failures = (report: ConformanceReport) =>
  resultsOf(report)
    .filter(({ verdict }) => verdict === "fail")
    .map(({ test: rule, knownFault, expected }) => ({ rule, sdk: knownFault?.sdk, expected }));

describe("an agent that fails LIST-022", () => {
  test("in the words of a2a-sdk has a known fault of that SDK, which counts", async () => {
    const report = await tested(python);
    expect(report.sdk).toMatchObject({ name: "a2a-python" });
    expect(report.sdk?.version).toBeUndefined();
    expect(failures(report)).toEqual([{ rule: "LIST-022", sdk: "a2a-sdk 1.3.0", expected: undefined }]);
    expect(exitCodeOf(report)).toBe(1);
  });

  test("is accepted with --ignore-known-sdk as by a baseline", async () => {
    const report = await tested(python, { ignoreKnownSdk: true });
    expect(failures(report)).toEqual([
      { rule: "LIST-022", sdk: "a2a-sdk 1.3.0", expected: "known fault of a2a-sdk 1.3.0" },
    ]);
    expect(outcomeWord(report)).toBe("not conformant (all expected)");
    expect(exitCodeOf(report)).toBe(0);
  });

  test.each([
    ["no words of an SDK", {}],
    ["one sentence of an SDK", { [-32009]: python[-32009]! }],
    ["the words of two SDKs", { ...python, ...javascript }],
  ])("with %s has no fault but its own", async (_, words) => {
    const report = await tested(words, { ignoreKnownSdk: true });
    expect(report.sdk).toBeUndefined();
    expect(failures(report)).toEqual([{ rule: "LIST-022", sdk: undefined, expected: undefined }]);
    expect(exitCodeOf(report)).toBe(1);
  });

  test("has the faults of the SDK that is stated, and of no other version", async () => {
    const stated = await tested({}, { sdk: { name: "a2a-python", version: "1.3.0" } });
    expect(failures(stated)).toEqual([{ rule: "LIST-022", sdk: "a2a-sdk 1.3.0", expected: undefined }]);
    const later = await tested({}, { sdk: { name: "a2a-python", version: "9.0.0" } });
    expect(failures(later)).toEqual([{ rule: "LIST-022", sdk: undefined, expected: undefined }]);
  });
});
