import { UsageError } from "@assay/protocol/assay-error";
import { expect, test } from "vitest";
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

test("a row goes stale when its cells were run and none is red any more", () => {
  const [row] = read(text);
  expect(staleRows([green], [row!])).toEqual([{ row, cells: 1 }]);
  expect(staleRows([green, red], [row!])).toEqual([]);
  expect(staleRows([{ ...red, outcome: "blocked" }], [row!])).toEqual([]);
  expect(
    staleRows(
      [
        { ...green, outcome: "not-run" },
        { ...green, server: "a2a-one" },
      ],
      [row!],
    ),
  ).toEqual([]);
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
