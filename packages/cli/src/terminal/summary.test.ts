import pico from "picocolors";
import { describe, expect, test } from "vitest";
import { finished, found, jsonRpc, planned, reportOf, result, started, weatherRun } from "../run.case.ts";
import { summaryOf } from "./summary.ts";

const summary = (events: typeof weatherRun, columns = 130): string =>
  summaryOf(reportOf(events), { columns, colors: pico.createColors(false) }).join("\n");

describe("a summary", () => {
  test("has the level first, then what to fix, and what was not examined", () => {
    expect(summary(weatherRun)).toMatchInlineSnapshot(`
      "partial   2 rules broken, 1 warning   examined 4 of 9 rules that apply (quick)
      Why partial: push not offered.

      Fix first
        1  GetTask answers -32603 for an unknown task   JSON-RPC              ERR-020  §3.3.2, §5.4
           sent   {"method":"GetTask","params":{"id":"3f0c…"}}
           saw    {"error":{"code":-32603,"message":"KeyError: '3f0c…'"}}
           want   error.code -32001 (TaskNotFound)
           fix    Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.
           again  curl -s http://127.0.0.1:9999/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"method":"GetTask"}'
        2  nextPageToken is missing on the last page    JSON-RPC, HTTP+JSON   LIST-003  §3.1.4

      Held up by 1: 2 checks could not be made.

      Warnings
        ! CACHE-001  card   no Cache-Control on the card

      Not examined: 3 rules
        2  need a prompt: prompts.inputRequired in assay.yaml
        1  needs --depth full

      4 rules about agents have no check yet (assay coverage)."
    `);
  });

  test("of a faultless run is short", () => {
    expect(
      summary([started, found, planned, result("SEND-001", { interface: jsonRpc }), finished]),
    ).toMatchInlineSnapshot(`
      "partial   nothing broken, no warnings   examined 1 of 1 rule that applies (quick)
      Why partial: push not offered.

      4 rules about agents have no check yet (assay coverage)."
    `);
  });

  test("of a run that was cut off says so", () => {
    expect(summary(weatherRun.slice(0, 8)).split("\n").slice(0, 2)).toMatchInlineSnapshot(`
      [
        "cut off   2 rules broken, no warnings   examined 3 of 3 rules that apply (quick)",
        "The run was cut off: its end was never written down. This is what had been found by then.",
      ]
    `);
  });

  test("tells five failures in full, fifteen in a line, and counts the rest", () => {
    const many = Array.from({ length: 30 }, (_, n) =>
      result(`RULE-${String(n).padStart(2, "0")}`, { verdict: "fail", message: `fault ${n}`, remedy: "Put it right." }),
    );
    const text = summary([started, found, planned, ...many, finished]);
    expect(text.match(/fix {4}Put it right\./g)).toHaveLength(5);
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
