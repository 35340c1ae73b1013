import { Progress } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { finished, found, jsonRpc, planned, reportOf, result, started } from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { createColors } from "./colors.ts";
import { headerOf } from "./header.ts";
import { createPlainView, plainEnding } from "./plain.ts";
import { summaryOf } from "./summary.ts";

/** An agent that declares 1.0, and answers to 0.3 without a word about it. */

const older = { ...jsonRpc, dialect: "0.3" };
const hybrid = {
  ...found,
  dialects: [
    { dialect: "1.0", because: 'supportedInterfaces[0] says protocolVersion "1.0"', declared: true },
    { dialect: "0.3", because: "the endpoint knows message/send" },
  ],
  interfaces: [jsonRpc, older],
} as typeof found;

const run = [
  started,
  hybrid,
  planned,
  result("STREAM-003", { verdict: "fail", interface: jsonRpc, message: "the stream opens with a status update" }),
  result("STREAM-003", { dialect: "0.3", interface: older, warning: "the stream opens with a status update" }),
  result("CARD-004", { dialect: "0.3", warning: "the card has no url" }),
  result("GET-007", { verdict: "not-examined", unexamined: "depth", interface: older, dialect: "0.3" }),
  finished,
];

const colors = createColors(false);

describe("which versions are tested, and how that is known", () => {
  test("stands in the header", () => {
    const progress = new Progress();
    for (const event of run) progress.take(event);
    expect(headerOf(progress, colors)[2]).toBe(
      'Tested in 1.0 (supportedInterfaces[0] says protocolVersion "1.0") and 0.3 (the endpoint knows message/send; not on the card: it never causes a failure).',
    );
  });

  test("stands in the log, and what is about the card of a version says of which", () => {
    const screen = paperScreen({ isTerminal: false });
    const view = createPlainView(screen);
    for (const event of run) view.take(event);
    const log = screen.out().split("\n");
    expect(log).toContain('VERSION 1.0 supportedInterfaces[0] says protocolVersion "1.0"');
    expect(log).toContain("VERSION 0.3 the endpoint knows message/send (not on the card: it never causes a failure)");
    expect(log).toContain("WARN CARD-004 card/0.3 the card has no url");
    expect(log).toContain("WARN STREAM-003 JSONRPC/0.3 the stream opens with a status update");
  });

  test("goes without saying where the card declares 1.0 alone", () => {
    const screen = paperScreen({ isTerminal: false });
    const view = createPlainView(screen);
    for (const event of [started, found]) view.take(event);
    expect(screen.out()).not.toContain("VERSION");
  });
});

test("the answer is told for each version", () => {
  const levels = [
    "1.0 not conformant, no level: the card was not examined, which every level requires",
    "0.3 inconclusive: Assay sent no message (not on the card: it does not count)",
  ];
  expect(plainEnding(reportOf(run)).slice(1, 3)).toEqual(levels);
  const summary = summaryOf(reportOf(run), { columns: 200, colors });
  expect(summary.slice(2, 4).map((line) => line.trim())).toEqual(levels);
});

test("a rule counts in each version that has it", () => {
  const progress = new Progress();
  for (const event of run) progress.take(event);
  expect(progress.rules).toBe(4);
});
