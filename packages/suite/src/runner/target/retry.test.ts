import type { Failure, HeaderPairs, PeerError, Reply } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { Call } from "../../call.ts";
import { Obstacle } from "../../obstacle.ts";
import { type CallEnding, endingOf, nextAttempt, type Purpose, withRetries } from "./retry.ts";

const callOf = (reply: Reply, status?: number, headers: HeaderPairs = []): Call =>
  ({
    exchange: { http: status === undefined ? {} : { response: { status, headers } } },
    on: { url: "http://127.0.0.1/", binding: "JSONRPC", dialect: "1.0" },
    reply,
    said: reply,
  }) as unknown as Call;

const refused = (error: Partial<PeerError>): Reply => ({
  is: "error",
  error: { message: "no", ...error } as PeerError,
});
const failed = (code: Failure["code"]): Reply => ({ is: "failure", failure: { code, message: "no" } });
const page: Reply = { is: "malformed", because: "a page" };
const fine: Reply = { is: "result", json: {} };

describe("how a call ended", () => {
  test.each<[string, Call, CallEnding]>([
    ["a result", callOf(fine, 200), "answered"],
    ["a refusal", callOf(refused({ code: -32001, http: 200 }), 200), "answered"],
    ["a page of the web server that is no breakdown", callOf(page, 404), "answered"],
    ["429 without an error of the binding", callOf(page, 429), "turned-away"],
    ["503", callOf(refused({ http: 503 }), 503), "turned-away"],
    ["an internal error", callOf(refused({ code: -32603, http: 200 }), 200), "internal-error"],
    ["500 as a page", callOf(page, 500), "breakdown"],
    ["a reset", callOf(failed("reset")), "no-answer"],
    ["silence", callOf(failed("timeout-idle")), "no-answer"],
    ["hung up by us", callOf(failed("aborted")), "aborted"],
  ])("%s", (_, call, ending) => {
    expect(endingOf(call)).toBe(ending);
  });
});

const call = callOf(fine, 200);
const times = (ending: CallEnding, count: number): CallEnding[] => Array.from({ length: count }, () => ending);

describe("what is repeated", () => {
  test.each<[Purpose, CallEnding, number]>([
    ["free-call", "internal-error", 1],
    ["free-call", "breakdown", 1],
    ["free-call", "no-answer", 1],
    ["free-call", "answered", 0],
    ["free-call", "aborted", 0],
    ["message", "internal-error", 0],
    ["message", "no-answer", 0],
    ["stream", "no-answer", 0],
    ["fresh-message", "internal-error", 2],
    ["fresh-message", "failed-task", 2],
    ["fresh-message", "no-answer", 0],
  ])("a %s that ended as %s, %i times", (purpose, ending, repeats) => {
    expect(nextAttempt(purpose, times(ending, repeats + 1), call)).toBeUndefined();
    if (repeats) expect(nextAttempt(purpose, times(ending, repeats), call)).toBeDefined();
  });

  test("breakdowns of different kinds count together", () => {
    expect(nextAttempt("free-call", ["no-answer", "internal-error"], call)).toBeUndefined();
  });

  test.each<Purpose>(["free-call", "message", "stream"])(
    "a %s that is turned away, until there is nothing to judge",
    (purpose) => {
      expect(nextAttempt(purpose, times("turned-away", 6), call)).toBeDefined();
      expect(() => nextAttempt(purpose, times("turned-away", 7), callOf(page, 429))).toThrow(Obstacle);
    },
  );
});

test.each<[string, HeaderPairs, number]>([
  ["longer each time", [], 1_000],
  ["as long as the agent says", [["Retry-After", "2"]], 2_050],
  ["a little longer each time where it says at once", [["retry-after", "0"]], 200],
  ["never longer than half a minute", [["Retry-After", "3600"]], 30_000],
])("the pause before the third attempt is %s", (_, headers, afterMs) => {
  const turnedAway = callOf(page, 429, headers);
  expect(nextAttempt("message", times("turned-away", 2), turnedAway)).toEqual({ afterMs });
});

test("attempts are made until one ends well, with a pause before each but the first", async () => {
  const calls = [callOf(page, 429), callOf(page, 503), call];
  const pauses: number[] = [];
  const attempt = async () => {
    const next = calls.shift()!;
    return { value: next, call: next };
  };
  expect(await withRetries("message", attempt, async (ms) => void pauses.push(ms))).toBe(call);
  expect(pauses).toEqual([500, 1_000]);
});

test("what is still under way is not repeated", async () => {
  expect(
    await withRetries(
      "stream",
      async () => ({ value: "a stream", call: undefined }),
      async () => {},
    ),
  ).toBe("a stream");
});
