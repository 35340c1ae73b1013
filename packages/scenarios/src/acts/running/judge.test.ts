import type { JsonValue } from "@assay/protocol";
import type { Exchange, PeerError, PeerInterface } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { ExpectStream } from "../model.ts";
import { eventView, type StepAnswer } from "./answer.ts";
import { Judge } from "./judge.ts";
import { Failed, together } from "./verdicts.ts";

const at = { file: "t.acts.yaml", line: 1, column: 1 };
const on = (binding: PeerInterface["binding"]): PeerInterface => ({ url: "http://here", binding, dialect: "1.0" });

/** Returns the judge's message about a response; nothing if it passes. */
function said(answer: Partial<StepAnswer>, judge: (judge: Judge) => void): string | undefined {
  const exchange = { id: "x1", http: { request: { method: "POST" } } } as Exchange;
  const whole: StepAnswer = { exchange, status: 200, root: undefined, sent: "sent", saw: "saw", ...answer };
  try {
    judge(new Judge({ id: "step", at }, whole, { fill: (value) => value }));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("an error", () => {
  const error = (more: Partial<PeerError>): PeerError => ({ message: "m", http: 200, details: [], ...more });

  test.each([
    ["JSONRPC", error({ code: -32001 }), true],
    ["JSONRPC", error({ code: -32002 }), false],
    ["JSONRPC", error({ code: -32001, reason: "TASK_NOT_CANCELABLE" }), false],
    ["HTTP+JSON", error({ http: 404 }), true],
    ["HTTP+JSON", error({ http: 400 }), false],
    ["GRPC", error({ grpc: { code: 5, status: "NOT_FOUND" } }), true],
    ["GRPC", error({ grpc: { code: 9, status: "FAILED_PRECONDITION" } }), false],
  ] as const)("over %s: %j is TaskNotFoundError: %s", (binding, found, expected) => {
    const words = said({ error: found }, (judge) => judge.error({ types: ["TaskNotFoundError"] }, on(binding)));
    expect(words === undefined).toBe(expected);
  });

  test("of 1.0.0 is as good where its reason says the same", () => {
    const old = error({ http: 409, reason: "TASK_NOT_CANCELABLE" });
    expect(
      said({ error: old }, (judge) => judge.error({ types: ["TaskNotCancelableError"] }, on("HTTP+JSON"))),
    ).toBeUndefined();
  });

  test("that is expected and does not come is told with what came", () => {
    expect(said({ root: {} }, (judge) => judge.error({ types: ["TaskNotFoundError"] }, on("JSONRPC")))).toBe(
      "expected TaskNotFoundError (error code -32001), got no error",
    );
  });

  test("where success is expected is a failure", () => {
    expect(said({ error: error({ code: -32001 }) }, (judge) => judge.success({}, on("JSONRPC"), () => {}))).toBe(
      "expected a success, got an error: m",
    );
  });
});

describe("a status of success", () => {
  const wants = (status: number) => ({ status: { is: "value", value: status, at } as const });
  const judged = (got: number, wanted: number): string | undefined =>
    said({ status: got }, (judge) => judge.success(wants(wanted), on("HTTP+JSON"), () => {}));

  test("is as good as any other of them, which the protocol leaves open", () => {
    expect(judged(201, 200)).toBeUndefined();
    expect(judged(204, 200)).toBeUndefined();
  });

  test("is none where it leads elsewhere, or where another one is asked for by name", () => {
    expect(judged(302, 200)).toBe("the HTTP status: expected 200, got 302");
    expect(judged(200, 201)).toBe("the HTTP status: expected 201, got 200");
  });
});

describe("a stream", () => {
  const status = (state: string): JsonValue => ({
    statusUpdate: { taskId: "t", status: { state: `TASK_STATE_${state}` } },
  });
  const follow = (events: JsonValue[], expected: Partial<ExpectStream>): string | undefined =>
    said({ events: events.map(eventView) }, (judge) => judge.stream({ events: [], ...expected }));

  test.each([
    [["SUBMITTED", "WORKING", "WORKING", "COMPLETED"], true],
    [["WORKING", "INPUT_REQUIRED", "WORKING", "COMPLETED"], true],
    [["COMPLETED", "COMPLETED"], true],
    [["COMPLETED", "WORKING"], false],
    [["WORKING", "SUBMITTED"], false],
    [["CANCELED", "COMPLETED"], false],
  ])("%j never goes back: %s", (states, expected) => {
    expect(follow(states.map(status), { ordering: "monotonic_state" }) === undefined).toBe(expected);
  });

  test("has as many events as are wanted", () => {
    expect(follow([status("WORKING")], { minCount: 2 })).toBe("expected at least 2 events, got 1");
    expect(follow([status("WORKING")], { maxCount: 0, minCount: 0 })).toBe("expected 0 to 0 events, got 1");
  });

  test("is looked into by the names of the grammar, or by those of the payload", () => {
    const state = { is: "value", value: "TASK_STATE_WORKING", at } as const;
    const shape = (...path: string[]): ExpectStream["eachEvent"] & object =>
      path.reduceRight<ExpectStream["eachEvent"] & object>(
        (inner, name) => ({ is: "shape", operators: [], members: [[name, inner]], at }),
        state,
      );
    for (const path of [
      ["status_update", "status", "state"],
      ["statusUpdate", "status", "state"],
      ["status", "state"],
    ]) {
      expect(follow([status("WORKING")], { finalEvent: shape(...path) })).toBeUndefined();
      expect(follow([status("FAILED")], { finalEvent: shape(...path) })).toBe(
        `events[0].${path.join(".")}: expected "TASK_STATE_WORKING", got "TASK_STATE_FAILED"`,
      );
    }
  });
});

describe("several expectations", () => {
  const failed =
    (message: string, ...more: string[]) =>
    () => {
      throw new Failed({ step: "send", message, more, at });
    };
  const thrown = (checks: readonly (() => void)[]): unknown => {
    try {
      return together(checks);
    } catch (error) {
      return error;
    }
  };

  test("are all told in one failure, the first one first", () => {
    expect(thrown([failed("a", "a2"), () => {}, failed("b"), failed("c", "c2")])).toMatchObject({
      detail: { message: "a", more: ["a2", "b", "c", "c2"] },
    });
    expect(thrown([() => {}])).toBeUndefined();
  });

  test("fail though a later one cannot be examined; an obstacle before any failure decides", () => {
    const obstacle = new Error("no such variable");
    const isStuck = () => {
      throw obstacle;
    };
    expect(thrown([failed("a"), isStuck, failed("b")])).toMatchObject({ detail: { message: "a", more: [] } });
    expect(thrown([isStuck, failed("a")])).toBe(obstacle);
  });

  test("of status and body are both told", () => {
    const value = (wanted: number) => ({ is: "value", value: wanted, at }) as const;
    const exchange = { id: "x1", http: { request: { method: "POST" } } } as Exchange;
    const judge = new Judge(
      { id: "step", at },
      { exchange, status: 500, root: 1, sent: "", saw: "" },
      { fill: (v) => v },
    );
    expect(thrown([() => judge.raw({ status: value(200), body: value(2) })])).toMatchObject({
      detail: {
        message: "the HTTP status: expected 200, got 500",
        more: ["the body: expected 2, got 1"],
      },
    });
  });
});
