import { foldRun, type RunEvent } from "@assay/suite/report";
import { expect, test } from "vitest";
import {
  basics,
  finished,
  found,
  gatewayRun,
  jsonRpc,
  planned,
  reportOf,
  result,
  started,
  weatherRun,
} from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
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

test("a broken property of a gateway has the value that arrived", () => {
  const broken = result("GW-ERROR-STATUS", {
    verdict: "fail",
    message: "the gateway changes the status of TASK_NOT_FOUND",
    saw: "HTTP 502",
    want: "HTTP 404",
    compared: {
      part: "response",
      status: true,
      ends: [
        { end: "agent", exchanges: [] },
        { end: "client", exchanges: [] },
      ],
    },
  });
  expect(logOf([started, found, broken])).toMatch(
    /^FAIL GW-ERROR-STATUS .*the gateway changes the status of TASK_NOT_FOUND, saw HTTP 502, want HTTP 404/m,
  );
});

test("third-party addresses are named before the first message", () => {
  const announced: RunEvent = {
    event: "planned",
    checks: 1,
    rules: 1,
    workingMessages: 2,
    contacts: ["http://192.0.2.1/", "file:///x"],
    withoutCheck: 0,
  };
  expect(logOf([started, found, announced])).toMatch(
    /messages \(.*\)\nWith --rude, messages tell the agent to fetch http:\/\/192\.0\.2\.1\/ and file:\/\/\/x\.\n$/,
  );
});

test("the last line of a log is the answer with what it rests on", () => {
  expect(plainEnding(reportOf(weatherRun))).toMatchInlineSnapshot(
    `
    [
      "level partial: push not offered",
      "not examined: 2 rules need a prompt: prompts.inputRequired in assay.yaml",
      "not examined: 1 rule needs --depth full",
      "not conformant (partial): 2 rules broken, 1 warning; examined 4 of 9 rules; 8 of 8 messages; 48 s",
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

test("a log says of a run without an answer why, what to do first, and how it ends", () => {
  const unsent = result("SEND-001", {
    verdict: "not-examined",
    unexamined: "unstable",
    message: "no answer within 2 s",
    enable: "--timeout 30",
  });
  expect(plainEnding(foldRun([started, found, planned, basics[0]!, unsent, finished]))).toMatchInlineSnapshot(`
    [
      "why: sending a message was not examined: no answer within 2 s",
      "not examined: 1 rule could not be judged: the agent answered differently each time, or too late: --timeout 30",
      "first: assay test … --timeout 30",
      "inconclusive: no rule broken, no warnings; examined 1 of 2 rules; 8 of 8 messages; 48 s; exit 2",
    ]
  `);
});

test("hosts that were not contacted are named", () => {
  const guarded = {
    event: "note",
    text: "JSONRPC 1.0 at http://10.0.0.5/ was not tested: 10.0.0.5 is a private address.",
  } as const;
  expect(logOf([started, found, guarded])).toContain("NOTE JSONRPC 1.0 at http://10.0.0.5/ was not tested: 10.0.0.5");
});

test("one trouble in the way of many checks is one line", () => {
  const events = ["GET-001", "GET-002"].map((id) =>
    result(id, { verdict: "error", interface: jsonRpc, message: "the host name did not resolve" }),
  );
  expect(logOf([started, found, ...events]).match(/^ERROR .*/gm)).toEqual([
    "ERROR GET-001 JSONRPC the host name did not resolve",
  ]);
});

test("the last lines say what a gateway did, and the rate the run settled on", () => {
  expect(plainEnding(reportOf(gatewayRun))).toEqual(
    expect.arrayContaining([
      "3 rules not examined: a gateway returned 504 after 3 s",
      "HTTP 429 returned to 14 requests; Assay slowed down to 5.2 requests per second",
    ]),
  );
});
