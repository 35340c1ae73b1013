import { UsageError } from "@assay/protocol/assay-error";
import { describe, expect, test } from "vitest";
import type { BlameCode, Blamed } from "../document/blame.ts";
import { failedCell } from "../document/cell.fixture.ts";
import type { Cell } from "../document/cell.ts";
import { knownFailureOf, staleRows } from "./mark.ts";
import { readKnownFailures } from "./read.ts";

const scenarios = ["spec-get-task", "spec-list-tasks", "error-task-not-found"];
const read = (text: string) => readKnownFailures({ file: "known-failures.yaml", text, driver: "a2a-two", scenarios });

const blamed = (whose: Blamed, code: BlameCode = "answer-differs"): Cell => ({
  ...failedCell([], { op: "get" }, { code: "answer", onTheWire: "fails" }),
  blame: { whose, code, cause: `${whose}/a2a-two/${code}`, title: "t", explanation: "e", reasons: [] },
});
const red = blamed("server");
const green: Cell = { ...red, outcome: "passed" };

const text = `
- role: server
  peers: [a2a-*]
  bindings: [JSONRPC]
  versions: ["1.0"]
  scenarios: [spec-*]
  causes: [answer-differs]
  why: It forgets tasks.
  issue: https://example.com/1
`;

test("a failure that is listed is known, with its reason", () => {
  expect(knownFailureOf(red, read(text))).toEqual({
    driver: "a2a-two",
    role: "server",
    why: "It forgets tasks.",
    issue: "https://example.com/1",
  });
  for (const other of [
    green,
    { ...red, server: "a2a-one" },
    { ...red, client: "other" },
    { ...red, binding: "GRPC" as const },
    { ...red, version: "0.3" as const },
    { ...red, scenario: "error-task-not-found" },
  ])
    expect(knownFailureOf(other, read(text))).toBeUndefined();
});

describe("a row is about one side", () => {
  test.each<[Blamed, boolean]>([
    ["server", true],
    ["unclear", true],
    ["specification", true],
    ["client", false],
    ["both", false],
  ])("a row of the server about a cell that blames: %s", (whose, isKnown) => {
    expect(knownFailureOf(blamed(whose), read(text)) !== undefined).toBe(isKnown);
  });

  test("where both sides are at fault, both are listed", () => {
    const client = readKnownFailures({
      file: "known-failures.yaml",
      text: text.replace("role: server", "role: client"),
      driver: "a2a-one",
      scenarios,
    });
    expect(knownFailureOf(blamed("both"), [...read(text), ...client])).toBeDefined();
  });

  test.each<[Blamed, BlameCode, boolean]>([
    ["server", "answer-differs", true],
    ["server", "no-answer", false],
    ["client", "request-differs", false],
    ["unclear", "gave-up", true],
    // A program that does not start, or a driver that refuses, shows nothing about the SDK.
    ["unclear", "not-started", false],
    ["unclear", "driver-refused", false],
  ])("a row is about the causes that it names: %s, %s", (whose, code, isKnown) => {
    const rows = read(text.replace("[answer-differs]", '[answer-differs, "unclear/*/gave-*"]'));
    expect(knownFailureOf(blamed(whose, code), rows) !== undefined).toBe(isKnown);
  });

  test("a failure without a blame is not known", () => {
    const { blame: _, ...cell } = red;
    expect(knownFailureOf(cell, read(text))).toBeUndefined();
  });

  test("the blame of a blocked cell is that of its cause", () => {
    const { blame, ...cell } = blamed("client");
    expect(knownFailureOf({ ...cell, outcome: "blocked" }, read(text), blame)).toBeUndefined();
  });
});

test("a row goes stale when all of its cells were run and none is red any more", () => {
  const [row] = read(text);
  expect(staleRows([green], [row!], [green])).toEqual([{ row, cells: 1 }]);
  expect(staleRows([green, red], [row!], [green])).toEqual([]);
  expect(staleRows([{ ...red, outcome: "blocked" }], [row!], [green])).toEqual([]);
  expect(staleRows([{ ...green, outcome: "not-run" }], [row!], [green])).toEqual([]);
});

test("a row does not go stale by a part of its cells, nor if its failures are flaky", () => {
  const [row] = read(text);
  expect(staleRows([green], [row!], [green, { ...green, scenario: "spec-list-tasks" }])).toEqual([]);
  const [flaky] = read(`${text}  flaky: true\n`);
  expect(staleRows([green], [flaky!], [green])).toEqual([]);
  expect(knownFailureOf(red, [flaky!])).toMatchObject({ flaky: true });
});

test.each([
  ["role: server", "expected a list"],
  ["- text", "row 1: expected names with values"],
  ["- { role: both, scenarios: [spec-*], causes: [no-answer], why: w }", "row 1: role: expected client or server"],
  ["- { role: server, scenarios: [spec-*], causes: [no-answer] }", "row 1: why: expected the reason, as a text"],
  [
    "- { role: server, scenarios: [spec-get-tsk], causes: [no-answer], why: w }",
    "row 1: scenarios: unknown scenario spec-get-tsk; did you mean spec-get-task?",
  ],
  [
    "- { role: server, versions: [1.0], scenarios: [spec-*], causes: [no-answer], why: w }",
    "row 1: versions: expected some of 1.0, 0.3 (in quotes)",
  ],
  ["- { role: server, scenarios: [spec-*], causes: [no-answer], why: w, reason: r }", "row 1: reason: unknown"],
  ["- { role: server, scenarios: [spec-*], why: w }", "row 1: causes: expected a list of causes, blame codes or rules"],
  [
    "- { role: server, scenarios: [spec-*], causes: [answer-difers], why: w }",
    "row 1: causes: unknown cause answer-difers; did you mean answer-differs?",
  ],
  ["- { role: server, scenarios: [spec-*], causes: [VER-999], why: w }", "row 1: causes: unknown cause VER-999"],
])("%s: %s", (wrong, mistake) => {
  expect(() => read(wrong)).toThrow(UsageError);
  expect(() => read(wrong)).toThrow(`known-failures.yaml: ${mistake}`);
});

test("a file with nothing in it lists nothing", () => {
  expect(read("")).toEqual([]);
});
