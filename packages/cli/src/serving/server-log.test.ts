import type { LoggedRequest } from "@assay/agents";
import { expect, test } from "vitest";
import { paperScreen } from "../screen.fixture.ts";
import type { LogOptions } from "./log-choices.ts";
import { type ServerLog, serverLog } from "./server-log.ts";

const request: LoggedRequest = {
  method: "POST",
  path: "/spec",
  status: "200",
  ms: 12.34,
  from: "127.0.0.1",
  isWhole: true,
  requestId: "r-1",
  agent: "spec",
  binding: "JSONRPC",
  operation: "SendMessage",
  outcome: "ok",
};

function told(options: LogOptions, say: (log: ServerLog) => void): string[] {
  const screen = paperScreen({ isTerminal: false });
  say(serverLog(screen, options));
  return screen.err().trimEnd().split("\n");
}

test("a JSON log line describes a request without its content", () => {
  const [line] = told({ format: "json", level: "info" }, (log) => log.request({ ...request, traceId: "t-1" }));
  expect(JSON.parse(line!)).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: "info",
    message: "request",
    method: "POST",
    path: "/spec",
    status: "200",
    ms: 12.3,
    from: "127.0.0.1",
    requestId: "r-1",
    traceId: "t-1",
    agent: "spec",
    binding: "JSONRPC",
    operation: "SendMessage",
    outcome: "ok",
  });
});

test("a path can neither start a new log line nor make one endless", () => {
  const path = `/a\n{"level":"error"}\u001b[31m${"x".repeat(1_000)}`;
  const lines = told({ format: "json", level: "info" }, (log) => log.request({ ...request, path }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("\u001b");
  expect(JSON.parse(lines[0]!).path).toHaveLength(200);
  expect(told({ format: "text", level: "info" }, (log) => log.request({ ...request, path }))).toHaveLength(1);
});

test.each<[Partial<LoggedRequest>, string]>([
  [{}, "info"],
  [{ outcome: "TaskNotFound" }, "warn"],
  [{ status: "404" }, "warn"],
  [{ status: "200, cut off", isWhole: false }, "warn"],
  [{ outcome: "Internal" }, "error"],
  [{ status: "503" }, "error"],
])("%j is told as %s, and to those who want that much", (differs, level) => {
  const levelsThatTell = (["error", "warn", "info"] as const).filter((least) => {
    const [line] = told({ format: "json", level: least }, (log) => log.request({ ...request, ...differs }));
    return line !== "" && JSON.parse(line!).level === level;
  });
  expect(levelsThatTell[0]).toBe(level);
});

test("people read a short line", () => {
  const [line] = told({ format: "text", level: "info" }, (log) => log.request(request));
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}POST {3}\/spec {2}200 {2}12 ms {2}127\.0\.0\.1 {2}r-1$/);
});

test("an outage of the store is logged at every level, when it begins and when it ends", () => {
  const say = (log: ServerLog) => {
    log.outage({ is: "begun", reason: "tasks.db: database or disk is full (SQLITE_FULL)" });
    log.outage({ is: "over", ms: 61_400 });
  };
  expect(told({ format: "text", level: "error" }, say)).toEqual([
    "assay serve: The store is unavailable: tasks.db: database or disk is full (SQLITE_FULL). Clients get 503 until it is back.",
    "assay serve: The store is available again after 61 s.",
  ]);
  const time = expect.any(String);
  expect(told({ format: "json", level: "error" }, say).map((line) => JSON.parse(line))).toEqual([
    { time, level: "error", message: "store unavailable", reason: expect.stringContaining("SQLITE_FULL") },
    { time, level: "info", message: "store works again", ms: 61_400 },
  ]);
});
