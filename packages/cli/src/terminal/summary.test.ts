import { foldRun } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { basics, finished, found, gatewayRun, planned, reportOf, result, started, weatherRun } from "../run.fixture.ts";
import { createColors } from "./colors.ts";
import { plainEnding } from "./plain.ts";
import { summaryOf } from "./summary.ts";

const summary = (events: typeof weatherRun, columns = 130): string =>
  summaryOf(reportOf(events), { columns, colors: createColors(false) }).join("\n");

/** As it is folded: what a run without an answer says is what these are about. */
const inconclusive = (events: typeof weatherRun): string =>
  summaryOf(foldRun(events), { columns: 130, colors: createColors(false) }).join("\n");

describe("a summary", () => {
  test("says in the words of HTTP what a gateway did, and the rate the run settled on", () => {
    expect(summary(gatewayRun).split("\n\n").slice(1)).toEqual([
      [
        "3 rules not examined: a gateway returned 504 after 3 s.",
        "  prompts.task in assay.yaml: a message that takes less time; or test the agent without its gateway",
        "Not examined for other reasons: 1 rule",
        "  1  needs --depth full",
      ].join("\n"),
      [
        "HTTP 429 returned to 14 requests; Assay slowed down to 5.2 requests per second.",
        "Assay does not check 4 rules about agents yet (assay coverage).",
      ].join("\n"),
    ]);
  });

  test("has the answer first, then what to fix, and what was not examined", () => {
    expect(summary(weatherRun)).toMatchInlineSnapshot(`
      "not conformant   2 rules broken, 1 warning   examined 4 of 9 rules that apply (quick)
      level partial: push not offered   48 s, 8 of 8 messages

      Fix first
        1  GetTask answers -32603 for an unknown task   JSON-RPC              ERR-020  §3.3.2, §5.4
           sent      {"method":"GetTask","params":{"id":"3f0c…"}}
           saw       {"error":{"code":-32603,"message":"KeyError: '3f0c…'"}}
           want      error.code -32001 (TaskNotFound)
           fix       Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.
           reproduce curl -s http://127.0.0.1:9999/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"method":"GetTask"}'
        2  nextPageToken is missing on the last page    JSON-RPC, HTTP+JSON   LIST-003  §3.1.4

      Blocked by #1: 2 checks could not run.

      Warnings
        ! CACHE-001  card   no Cache-Control on the card
                     fix Send Cache-Control: max-age=3600.

      Not examined: 3 rules
        2  need a prompt: prompts.inputRequired in assay.yaml
        1  needs --depth full

      Assay does not check 4 rules about agents yet (assay coverage)."
    `);
  });

  test("shows both ends of a gateway, with the place that differs", () => {
    const broken = result("GW-HEADER-A2A-VERSION", {
      verdict: "fail",
      message: "the gateway drops A2A-Version",
      saw: "no A2A-Version",
      want: "A2A-Version: 1.0",
      compared: {
        part: "request",
        header: "A2A-Version",
        ends: [
          { end: "client", exchanges: ["1"], shows: "A2A-Version: 1.0" },
          { end: "agent", exchanges: ["2"], shows: "no A2A-Version" },
        ],
      },
    });
    expect(summary([started, found, planned, broken, finished])).toContain(
      [
        "     compared  request header A2A-Version",
        "               - the client sent: A2A-Version: 1.0",
        "               + the agent received: no A2A-Version",
      ].join("\n"),
    );
  });

  test("of a faultless run is short", () => {
    expect(summary([started, found, planned, ...basics, finished])).toMatchInlineSnapshot(`
      "conformant   no rule broken, no warnings   examined 2 of 2 rules that apply (quick)
      level partial: push not offered   48 s, 8 of 8 messages

      Assay does not check 4 rules about agents yet (assay coverage)."
    `);
  });

  test("of a run that sent nothing says that it proves nothing, what to do first, and how it ends", () => {
    const unsent = result("SEND-001", {
      verdict: "not-examined",
      unexamined: "unstable",
      message: "no answer within 2 s",
      enable: "--timeout 30",
    });
    expect(inconclusive([started, found, planned, basics[0]!, unsent, finished])).toMatchInlineSnapshot(`
      "inconclusive   no rule broken, no warnings   examined 1 of 2 rules that apply (quick)
      sending a message was not examined: no answer within 2 s   48 s, 8 of 8 messages
      First   assay test … --timeout 30   exit 2

      Not examined: 1 rule
        1  could not be judged: the agent answered differently each time, or too late: --timeout 30

      Assay does not check 4 rules about agents yet (assay coverage)."
    `);
  });

  test("of a run whose agent went away keeps what was found, and says since when", () => {
    const gone = {
      ...finished,
      ending: "agent-gone",
      message: "http://127.0.0.1:9999 refuses connections since request 61 (SendMessage, JSON-RPC).",
      hint: 'Look into its own log; with --start "<command>" Assay starts it again.',
    } as typeof finished;
    expect(inconclusive([started, found, planned, ...basics, gone])).toMatchInlineSnapshot(`
      "agent gone   no rule broken, no warnings   examined 2 of 2 rules that apply (quick)
      http://127.0.0.1:9999 refuses connections since request 61 (SendMessage, JSON-RPC).   48 s, 8 of 8 messages
      First   Look into its own log; with --start "<command>" Assay starts it again.   exit 2

      Assay does not check 4 rules about agents yet (assay coverage)."
    `);
  });

  test("of a run that was cut off says so", () => {
    expect(inconclusive(weatherRun.slice(0, 8)).split("\n").slice(0, 3).join("\n")).toMatchInlineSnapshot(`
      "cut off   2 rules broken, no warnings   examined 3 of 3 rules that apply (quick)
      the run was cut off   0 ms, 0 of 8 messages
      exit 3"
    `);
  });

  test("tells five failures in full, fifteen in a line, and counts the rest", () => {
    const many = Array.from({ length: 30 }, (_, n) =>
      result(`RULE-${String(n).padStart(2, "0")}`, { verdict: "fail", message: `fault ${n}`, remedy: "Put it right." }),
    );
    const text = summary([started, found, planned, ...many, finished]);
    expect(text.match(/fix {7}Put it right\./g)).toHaveLength(5);
    expect(text.match(/^ +\d+ {2}fault/gm)).toHaveLength(20);
    expect(text).toContain("… and 10 more, in the report");
  });

  test("does not let an agent draw on it", () => {
    const evil = "\u001b[2J\u202e\n";
    const events = [
      { ...found, name: evil } as typeof found,
      result("X-1", { verdict: "fail", message: evil, sent: evil, saw: evil, want: evil, remedy: evil, repeat: evil }),
      result("X-2", { warning: evil }),
      { event: "note", text: evil } as const,
    ];
    expect(summary([started, ...events])).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

test("a known fault of the SDK is told as such, with its workaround, in the summary and in plain lines", () => {
  const run: typeof weatherRun = [
    started,
    found,
    planned,
    ...basics,
    result("LIST-022", {
      verdict: "fail",
      code: "accepted",
      interface: { url: "http://127.0.0.1:9999/", dialect: "1.0", binding: "JSONRPC" },
    }),
    { event: "sdk-recognised", name: "a2a-python", because: "looks like a2a-sdk (Python)" },
    finished,
  ];
  const report = foldRun(run);
  const told = summaryOf(report, { columns: 130, colors: createColors(false) }).join("\n");
  expect(told).toMatch(/known {5}known fault of a2a-sdk 1\.3\.0, not your code\. Workaround: Check the raw status/);
  expect(told).toContain("SDK: looks like a2a-sdk (Python).");
  const lines = plainEnding(report);
  expect(lines[0]).toBe("SDK looks like a2a-sdk (Python)");
  expect(lines[1]).toMatch(/^KNOWN LIST-022 known fault of a2a-sdk 1\.3\.0, not your code\. Workaround: Check the raw/);
});
