import { expect, test } from "vitest";
import { foldRun } from "./fold.ts";
import { troublesOf, unexaminedOf } from "./group.ts";
import { result, runOf } from "./run.fixture.ts";
import { slowedDownText, type TransportTrouble, troubleText } from "./trouble.ts";

test.each<[TransportTrouble, string]>([
  [{ code: "gateway", status: 504 }, "a gateway returned 504 after 3 s"],
  [{ code: "turned-away", status: 429 }, "the agent or a gateway returned 429 on every attempt"],
  [{ code: "turned-away" }, "the agent or a gateway was unavailable on every attempt"],
  [{ code: "unreachable" }, "Assay could not connect to the agent"],
  [{ code: "reset" }, "the connection was reset after 3 s, before the response was complete"],
  [{ code: "closed-early" }, "the connection was closed after 3 s, before the response was complete"],
  [{ code: "timeout" }, "no response arrived within 3 s"],
  [{ code: "stream-cut" }, "a stream was cut off after 3 s, before the end of its task"],
])("$code in the words of HTTP", (trouble, text) => {
  expect(troubleText(trouble, [2.96, 3.2])).toBe(text);
});

const unexamined = (test: string, trouble: TransportTrouble, message: string) =>
  result(test, { verdict: "not-examined", unexamined: "unstable", message, trouble });

test("rules are counted by what happened, not by how it is told", () => {
  const report = foldRun(
    runOf([
      unexamined("SEND-001", { code: "gateway", status: 504, seconds: 3.02 }, "one way to say it"),
      unexamined("SEND-002", { code: "gateway", status: 504, seconds: 5.1 }, "another"),
      unexamined("SEND-003", { code: "gateway", status: 502, seconds: 0.04 }, "one way to say it"),
      result("SEND-004", { verdict: "not-examined", unexamined: "unstable" }),
    ]),
  );
  expect(troublesOf(report)).toEqual([
    "2 rules not examined: a gateway returned 504 after 3 to 5 s",
    "1 rule not examined: a gateway returned 502 after 0.1 s",
  ]);
  expect(unexaminedOf(report).map(({ rules }) => rules)).toEqual([2, 1, 1]);
});

test("a run that was slowed down says by what, and to which rate", () => {
  expect(slowedDownText({ turnedAway: 14, status: 429, requestsPerSecond: 5.2 })).toBe(
    "HTTP 429 returned to 14 requests; Assay slowed down to 5.2 requests per second",
  );
});
