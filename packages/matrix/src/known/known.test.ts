import { UsageError } from "@assay/protocol/assay-error";
import { describe, expect, test } from "vitest";
import type { BlameCode, Blamed } from "../document/blame.ts";
import { failedCell } from "../document/cell.fixture.ts";
import type { Cell } from "../document/cell.ts";
import { knownFailureOf, staleRows } from "./mark.ts";
import { readKnownFailures } from "./read.ts";

const scenarios = ["spec-get-task", "spec-list-tasks", "error-task-not-found"];
const read = (text: string) => readKnownFailures({ file: "known-failures.yaml", text, driver: "a2a-two", scenarios });

const red = failedCell([], { op: "get" }, { code: "answer", onTheWire: "fails" });
const green: Cell = { ...red, outcome: "passed" };

const text = `
- role: server
  peers: [a2a-*]
  bindings: [JSONRPC]
  versions: ["1.0"]
  scenarios: [spec-*]
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
  const blamed = (whose: Blamed, code: BlameCode = "not-shown"): Cell => ({
    ...red,
    blame: { whose, code, cause: `${whose}/a2a-two/${code}`, title: "t", explanation: "e", reasons: [] },
  });

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

  test("a row with causes is about no other cause", () => {
    const rows = read(`${text}  causes: [answer-differs, "server/*/STREAM-*"]\n`);
    expect(knownFailureOf(blamed("server", "answer-differs"), rows)).toBeDefined();
    expect(knownFailureOf(blamed("server", "no-answer"), rows)).toBeUndefined();
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
  ["- { role: both, scenarios: [spec-*], why: w }", "row 1: role: expected client or server"],
  ["- { role: server, scenarios: [spec-*] }", "row 1: why: expected the reason, as a text"],
  [
    "- { role: server, scenarios: [spec-get-tsk], why: w }",
    "row 1: scenarios: unknown scenario spec-get-tsk; did you mean spec-get-task?",
  ],
  [
    "- { role: server, versions: [1.0], scenarios: [spec-*], why: w }",
    "row 1: versions: expected some of 1.0, 0.3 (in quotes)",
  ],
  ["- { role: server, scenarios: [spec-*], why: w, reason: r }", "row 1: reason: unknown"],
])("%s: %s", (wrong, mistake) => {
  expect(() => read(wrong)).toThrow(UsageError);
  expect(() => read(wrong)).toThrow(`known-failures.yaml: ${mistake}`);
});

test("a file with nothing in it lists nothing", () => {
  expect(read("")).toEqual([]);
});
