import { expect, test } from "vitest";
import { finished, found, jsonRpc, planned, reportOf, result, started, weatherRun } from "../run.case.ts";
import { paperScreen } from "../screen.case.ts";
import { createPlainView, plainEnding } from "./plain.ts";

function logOf(events: typeof weatherRun): string {
  const screen = paperScreen({ isTerminal: false });
  const view = createPlainView(screen);
  for (const event of events) view.take(event);
  view.end();
  return screen.out();
}

test("a log has one line per finding", () => {
  expect(logOf(weatherRun)).toMatchInlineSnapshot(`
    "assay 1.0.0  rules 1.0.1-r1  http://127.0.0.1:9999  Weather Agent 2.3.0
    depth quick: up to 8 messages (each may be a model call and cost money)
    FAIL ERR-020 JSONRPC GetTask answers -32603 for an unknown task, want error.code -32001 (TaskNotFound) (§3.3.2, §5.4)
    FAIL LIST-003 JSONRPC nextPageToken is missing on the last page (§3.1.4)
    FAIL LIST-003 HTTP+JSON nextPageToken is missing on the last page (§3.1.4)
    WARN CACHE-001 card no Cache-Control on the card
    "
  `);
});

test("the last line of a log is the level with what it rests on", () => {
  expect(plainEnding(reportOf(weatherRun))).toMatchInlineSnapshot(
    `
    [
      "why partial: push not offered",
      "partial: 3 failed, 1 warning, 2 passed, 6 skipped (2 held up); examined 4 of 9; 8 messages; 48 s",
    ]
  `,
  );
});

test("a known failure is told apart from a new one, and trouble of our own from both", () => {
  const events = [
    result("LIST-003", { verdict: "fail", interface: jsonRpc, message: "no token", expected: "fixed in 2.4" }),
    result("GET-001", { verdict: "error", interface: jsonRpc, message: "the network went away" }),
    { event: "note", text: "a host was not contacted" } as const,
  ];
  expect(logOf([started, found, planned, ...events, finished])).toMatchInlineSnapshot(`
    "assay 1.0.0  rules 1.0.1-r1  http://127.0.0.1:9999  Weather Agent 2.3.0
    depth quick: up to 8 messages (each may be a model call and cost money)
    KNOWN LIST-003 JSONRPC no token (baseline: fixed in 2.4)
    ERROR GET-001 JSONRPC the network went away
    NOTE a host was not contacted
    "
  `);
});

test("an agent's words are no commands for a build server", () => {
  const hostile = { ...found, name: "x\n::error::y" } as typeof found;
  const log = logOf([started, hostile, result("X-1", { verdict: "fail", message: "\n::set-env name=A::b ##vso[x]" })]);
  expect(log).not.toMatch(/^\s*::|##vso\[/m);
});
