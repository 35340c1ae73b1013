import type { FailureCode, HeaderPairs, PeerError, Reply } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { Obstacle } from "../../define/obstacle.ts";
import { BusyAgent, type BusyWait } from "./busy.ts";
import {
  type AttemptMode,
  type CallEnding,
  endingOf,
  type Inquiry,
  isGap,
  nextAttempt,
  type Purpose,
  type RetryOptions,
  showsAgent,
  withRetries,
} from "./retry.ts";

const callOf = (reply: Reply, status?: number, headers: HeaderPairs = [], reused = false): Call =>
  ({
    exchange: {
      id: "x1",
      http: status === undefined ? {} : { response: { status, headers } },
      transport: { reused },
      timing: { end: 3_000 },
    },
    on: { url: "http://127.0.0.1/", binding: "JSONRPC", dialect: "1.0" },
    reply,
    said: reply,
  }) as unknown as Call;

const refused = (error: Partial<PeerError>): Reply => ({
  is: "error",
  error: { message: "no", ...error } as PeerError,
});
const failed = (code: FailureCode): Reply => ({ is: "failure", failure: { code, message: "no" } });
const page: Reply = { is: "malformed", because: "a page" };
const stream = (events: number, broke?: FailureCode): Reply => ({
  is: "stream",
  events: Array.from({ length: events }, () => ({ at: 1, bytes: 2, is: "result", json: {} })),
  ...(broke && { failure: { code: broke, message: "no" } }),
});
const fine: Reply = { is: "result", json: {} };

describe("how a call ended", () => {
  test.each<[string, Call, CallEnding, boolean]>([
    ["a result", callOf(fine, 200), "answered", true],
    ["a refusal", callOf(refused({ code: -32001, http: 200 }), 200), "answered", true],
    ["a page of the web server that is no breakdown", callOf(page, 404), "answered", true],
    ["429 as a page", callOf(page, 429), "pressed", false],
    ["503 with an error of the binding", callOf(refused({ http: 503 }), 503), "pressed", true],
    ["UNAVAILABLE", callOf(refused({ grpc: { code: 14, status: "UNAVAILABLE" } }), 200), "pressed", true],
    ["RESOURCE_EXHAUSTED", callOf(refused({ grpc: { code: 8, status: "RESOURCE_EXHAUSTED" } }), 200), "pressed", true],
    ["an internal error", callOf(refused({ code: -32603, http: 200 }), 200), "internal-error", true],
    [
      "502 with an internal error of the binding",
      callOf(refused({ code: -32603, http: 502 }), 502),
      "internal-error",
      true,
    ],
    ["500 as a page", callOf(page, 500), "breakdown", true],
    ["502 as a page", callOf(page, 502), "gateway-failed", false],
    ["504 as a page", callOf(page, 504), "gateway-timeout", false],
    ["408 as a page", callOf(page, 408), "gateway-timeout", false],
    ["a refused connection", callOf(failed("connect-refused")), "unconnected", false],
    ["a name that does not resolve", callOf(failed("dns")), "unconnected", false],
    ["a reset", callOf(failed("reset")), "dropped", false],
    ["an early close", callOf(failed("closed-early")), "dropped", false],
    ["silence", callOf(failed("timeout-idle")), "silence", false],
    ["a stream that broke before its first event", callOf(stream(0, "reset"), 200), "dropped", false],
    ["a stream that broke behind it", callOf(stream(1, "reset"), 200), "answered", true],
    ["a stream that ended without an event", callOf(stream(0), 200), "answered", true],
    ["broken HTTP", callOf(failed("malformed")), "unreadable", true],
    ["a host that we may not contact", callOf(failed("refused-by-guard")), "out-of-reach", false],
    ["hung up by us", callOf(failed("aborted")), "aborted", true],
  ])("%s", (_, call, ending, shows) => {
    expect(endingOf(call)).toBe(ending);
    expect(showsAgent(call)).toBe(shows);
  });
});

const call = callOf(fine, 200);
const times = (ending: CallEnding, count: number): CallEnding[] => Array.from({ length: count }, () => ending);

/** What stands behind the repeats: the last answer is judged, or nothing is. */
type Then = "judged" | "not-examined";

describe("what is repeated", () => {
  test.each<[Purpose, CallEnding, number, Then]>([
    ["contact", "silence", 0, "judged"],
    ["fetch", "dropped", 5, "judged"],
    ["fetch", "pressed", 6, "judged"],
    ["fetch", "silence", 0, "judged"],
    ["free-call", "answered", 0, "judged"],
    ["free-call", "pressed", 6, "not-examined"],
    ["free-call", "unconnected", 6, "not-examined"],
    ["free-call", "gateway-failed", 5, "not-examined"],
    ["free-call", "gateway-timeout", 1, "not-examined"],
    ["free-call", "dropped", 6, "not-examined"],
    ["free-call", "silence", 1, "not-examined"],
    ["free-call", "out-of-reach", 0, "not-examined"],
    ["free-call", "internal-error", 1, "judged"],
    ["free-call", "breakdown", 1, "judged"],
    ["free-call", "unreadable", 1, "judged"],
    ["free-call", "aborted", 0, "judged"],
    ["message", "pressed", 6, "not-examined"],
    ["message", "unconnected", 6, "not-examined"],
    ["message", "gateway-failed", 1, "not-examined"],
    ["message", "dropped", 1, "not-examined"],
    ["message", "gateway-timeout", 0, "not-examined"],
    ["message", "silence", 0, "not-examined"],
    ["message", "internal-error", 0, "judged"],
    ["first-message", "dropped", 1, "judged"],
    ["fresh-message", "dropped", 1, "not-examined"],
    ["fresh-message", "internal-error", 2, "judged"],
    ["fresh-message", "failed-task", 2, "judged"],
    ["fresh-message", "answered", 0, "judged"],
  ])("a %s that ended as %s, %i times, then it is %s", (purpose, ending, repeats, then) => {
    if (repeats) expect(nextAttempt(purpose, times(ending, repeats), call)).toBeDefined();
    const last = () => nextAttempt(purpose, times(ending, repeats + 1), call);
    if (then === "judged") expect(last()).toBeUndefined();
    else expect(last).toThrow(Obstacle);
  });

  test("breakdowns of different kinds count together", () => {
    expect(nextAttempt("free-call", ["breakdown", "internal-error"], call)).toBeUndefined();
  });

  test("nothing, once the request is known to be to blame", () => {
    expect(nextAttempt("free-call", times("dropped", 3), call, "to-blame")).toBeUndefined();
  });

  test("no silence where nothing else is answered either", () => {
    expect(() => nextAttempt("free-call", ["silence"], callOf(failed("timeout-idle")), "not-alone")).toThrow(Obstacle);
  });
});

test.each<[string, HeaderPairs, number]>([
  ["longer each time", [], 1_000],
  ["as long as the agent says", [["Retry-After", "2"]], 2_050],
  ["a little longer each time where it says at once", [["retry-after", "0"]], 200],
  ["however long that is: whether to wait so long is decided elsewhere", [["Retry-After", "720"]], 720_050],
])("the pause before the third attempt is %s", (_, headers, afterMs) => {
  const pressed = callOf(page, 429, headers);
  expect(nextAttempt("message", times("pressed", 2), pressed)).toEqual({ afterMs });
});

const nothingToAsk: Inquiry = {
  dropped: async () => ({ is: "undecided", trials: 0 }),
  silent: async () => undefined,
  recover: async () => {},
  isCrash: () => false,
};
const options = (more: Partial<RetryOptions> = {}): RetryOptions => ({
  sleep: async () => {},
  random: () => 0.5,
  inquiry: nothingToAsk,
  ...more,
});

/** Attempts that end one after the other as these calls did. */
function attempts(calls: readonly Call[]) {
  const modes: AttemptMode[] = [];
  const attempt = async (mode: AttemptMode) => {
    const next = calls[modes.length]!;
    modes.push(mode);
    return { value: next, call: next };
  };
  return { modes, attempt };
}

test("attempts are made until one ends well, each but the first after a pause and over a fresh connection", async () => {
  const pauses: number[] = [];
  const { modes, attempt } = attempts([callOf(page, 429), callOf(page, 503), call]);
  expect(await withRetries("message", attempt, options({ sleep: async (ms) => void pauses.push(ms) }))).toBe(call);
  expect(pauses).toEqual([500, 1_000]);
  expect(modes).toEqual(["first", "repeat", "repeat"]);
});

test.each([
  [0, 375],
  [1, 625],
])("pauses are spread: at random %d it is %d ms", async (random, ms) => {
  const pauses: number[] = [];
  const { attempt } = attempts([callOf(page, 429), call]);
  await withRetries(
    "message",
    attempt,
    options({ random: () => random, sleep: async (each) => void pauses.push(each) }),
  );
  expect(pauses).toEqual([ms]);
});

test("the first call on an interface is repeated until its time is over", async () => {
  const refusal = callOf(failed("connect-refused"));
  const { modes, attempt } = attempts(Array.from({ length: 50 }, () => refusal));
  expect(await withRetries("contact", attempt, options({ contactWithin: 500 }))).toBe(refusal);
  expect(modes).toHaveLength(4);
});

test("what is still under way is not repeated", async () => {
  const attempt = async () => ({ value: "a stream", call: undefined });
  expect(await withRetries("message", attempt, options())).toBe("a stream");
});

describe("a connection that drops", () => {
  const drop = callOf(failed("reset"));
  const inquiryThat = (dropped: Inquiry["dropped"]): Inquiry => ({ ...nothingToAsk, dropped });

  test("is settled by sending the request alone: the answer counts", async () => {
    const { modes, attempt } = attempts([drop, call]);
    const inquiry = inquiryThat(async (_, again) => ({ is: "answered", attempt: await again() }));
    expect(await withRetries("free-call", attempt, options({ inquiry }))).toBe(call);
    expect(modes).toEqual(["first", "alone"]);
  });

  test("is judged where the agent crashes on the request", async () => {
    const { modes, attempt } = attempts([drop, drop]);
    const inquiry = inquiryThat(async (_, again) => ({ is: "crash", attempt: await again() }));
    expect(await withRetries("free-call", attempt, options({ inquiry }))).toBe(drop);
    expect(modes).toEqual(["first", "alone"]);
  });

  test("is not examined where nothing is proven, and what was sent alone counts as repeats", async () => {
    const { modes, attempt } = attempts(Array.from({ length: 9 }, () => drop));
    const inquiry = inquiryThat(async () => ({ is: "undecided", trials: 4 }));
    await expect(withRetries("free-call", attempt, options({ inquiry }))).rejects.toThrow(Obstacle);
    expect(modes).toEqual(["first", "repeat", "repeat"]);
  });

  test("is an answer to a request that may be refused so, unless the agent crashes", async () => {
    const { attempt } = attempts([drop]);
    const inquiry = inquiryThat(async () => ({ is: "undecided", trials: 4 }));
    expect(await withRetries("free-call", attempt, options({ inquiry, mayHangUp: true }))).toBe(drop);
  });

  test("is no reason for another message once a crash is known", async () => {
    const { modes, attempt } = attempts([drop, call]);
    const inquiry = { ...nothingToAsk, isCrash: (each: Call) => each === drop };
    expect(await withRetries("fresh-message", attempt, options({ inquiry }))).toBe(drop);
    expect(modes).toEqual(["first"]);
  });
});

test.each<[string, Call, boolean]>([
  ["a refused connection", callOf(failed("connect-refused")), true],
  ["a page with 502", callOf(page, 502), true],
  ["an answer", callOf(fine, 200), false],
  ["silence", callOf(failed("timeout-idle")), false],
])("after %s the agent may have been restarted: %s", (_, each, isIt) => {
  expect(isGap(each)).toBe(isIt);
});

test.each([
  [false, true],
  [true, false],
])("a connection that breaks, used before: %s, is a gap: %s", (reused, isIt) => {
  const cut = callOf(failed("reset"), undefined, [], reused);
  const exchange = { ...cut.exchange, failure: { code: "reset", message: "no" } } as Call["exchange"];
  expect(isGap({ ...cut, exchange })).toBe(isIt);
});

describe("an agent that returns 429", () => {
  /** Time passes only while something sleeps. */
  function clocked() {
    const told: BusyWait[] = [];
    let now = 0;
    const busy = new BusyAgent(
      (wait) => told.push(wait),
      () => now,
    );
    const sleep = async (ms: number): Promise<void> => {
      now += ms;
    };
    return { told, busy, sleep, now: () => now };
  }
  const asking = (seconds: string): Call => callOf(page, 429, [["Retry-After", seconds]]);

  test("and asks for more time than a run has is not waited for", async () => {
    const { busy, sleep, now, told } = clocked();
    const { modes, attempt } = attempts([asking("720")]);
    await expect(withRetries("message", attempt, options({ busy, sleep }))).rejects.toThrow(
      "the agent or a gateway returned 429 on every attempt and asked to wait (Retry-After: 720); a run waits at most 180 s",
    );
    expect([modes, now(), told]).toEqual([["first"], 0, []]);
  });

  test("is waited for as long as it asks, and people are told", async () => {
    const { busy, sleep, now, told } = clocked();
    const { attempt } = attempts([asking("60"), call]);
    expect(await withRetries("message", attempt, options({ busy, sleep }))).toBe(call);
    expect(now()).toBe(60_050);
    expect(told).toEqual([{ ms: 60_050, mostMs: 180_000, status: 429, retryAfter: "60" }]);
  });

  test("429 without end delays a run by at most three minutes, however many requests it sends", async () => {
    const { busy, sleep, now } = clocked();
    for (const purpose of ["fetch", "free-call", "message", "fetch"] as const) {
      const { attempt } = attempts(Array.from({ length: 50 }, () => asking("50")));
      await withRetries(purpose, attempt, options({ busy, sleep })).catch(() => {});
    }
    expect(now()).toBeLessThanOrEqual(180_000);
    expect(now()).toBeGreaterThan(120_000);
  });

  test("is waited for anew once it has answered", async () => {
    const { busy, sleep, now } = clocked();
    for (const _ of [1, 2, 3]) {
      const { attempt } = attempts([asking("100"), call]);
      expect(await withRetries("message", attempt, options({ busy, sleep }))).toBe(call);
    }
    expect(now()).toBe(3 * 100_050);
  });

  test("is told of once while several requests wait", () => {
    const { busy, told } = clocked();
    for (const _ of [1, 2, 3]) expect(busy.mayWait(10_000, asking("10"))).toBe(true);
    expect(told).toHaveLength(1);
    expect(busy.mayWait(1_000, asking("1"))).toBe(true);
    expect(told).toHaveLength(1);
  });
});
