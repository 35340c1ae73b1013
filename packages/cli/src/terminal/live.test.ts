import { Progress } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { found, jsonRpc, planned, rest, result, started, weatherRun } from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { createColors } from "./colors.ts";
import { createLiveView, frameOf } from "./live.ts";
import { widthOf } from "./width.ts";

const colors = createColors(false);
const after = (events: readonly Parameters<Progress["take"]>[0][]): Progress => {
  const progress = new Progress();
  for (const event of events) progress.take(event);
  return progress;
};
const frame = (progress: Progress, size: { columns?: number; rows?: number } = {}): string =>
  frameOf(progress, { columns: 120, rows: 40, elapsed: 31_000, colors, ...size }).join("\n");

describe("a frame", () => {
  test("before anything is known says what goes on", () => {
    expect(frame(after([started]))).toMatchInlineSnapshot(`"  00:31   looking for the agent"`);
  });

  test("shows who is tested, how far we are, and what was found", () => {
    const stream = {
      event: "check-started",
      test: "STREAM-003",
      title: "a stream of a task",
      interface: rest,
    } as const;
    expect(frame(after([...weatherRun.slice(0, -1), stream]))).toMatchInlineSnapshot(`
      "Weather Agent 2.3.0   http://127.0.0.1:9999
      Card found at /.well-known/agent-card.json: 1.0 over JSON-RPC and HTTP+JSON, streaming, no push.
      Depth quick: up to 8 messages (each may be a model call and cost money), about 50 s (the first message took 6.1 s).

        ████████████████████░░  10 of 10 rules   0 of 8 messages   00:31   now: a stream of a task over HTTP+JSON
        ✗ ERR-020    JSON-RPC              GetTask answers -32603 for an unknown task
        ✗ LIST-003   JSON-RPC, HTTP+JSON   nextPageToken is missing on the last page
        ! CACHE-001  card                  no Cache-Control on the card"
    `);
  });

  test.each([
    { columns: 40, rows: 10 },
    { columns: 20, rows: 6 },
    { columns: 79, rows: 24 },
  ])("fits into $columns × $rows", (size) => {
    const many = Array.from({ length: 50 }, (_, n) =>
      result(`RULE-${n}`, { verdict: "fail", interface: jsonRpc, message: "天気 ".repeat(30) }),
    );
    const lines = frame(after([started, found, planned, ...many]), size).split("\n");
    expect(lines.length).toBeLessThan(size.rows);
    expect(Math.max(...lines.map(widthOf))).toBeLessThan(size.columns);
    expect(lines.at(-1)).toMatch(/… and \d+ more/);
  });

  test("does not let an agent draw on it", () => {
    const hostile = { ...found, name: "\u001b[2J", version: "\u202e" } as typeof found;
    const text = frame(
      after([started, hostile, planned, result("X-1", { verdict: "fail", message: "\u001b]0;x\u0007" })]),
    );
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

test("a view that has ended leaves the header, and no cursor hidden", () => {
  const screen = paperScreen();
  const view = createLiveView(screen, () => 0);
  for (const event of weatherRun) view.take(event);
  view.end();
  expect(screen.out().split("\u001b[?25h").at(-1)).toMatchInlineSnapshot(`
    "Weather Agent 2.3.0   http://127.0.0.1:9999
    Card found at /.well-known/agent-card.json: 1.0 over JSON-RPC and HTTP+JSON, streaming, no push.
    Depth quick: up to 8 messages (each may be a model call and cost money), about 50 s (the first message took 6.1 s).

    "
  `);
});
