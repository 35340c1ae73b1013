import { type ClientCall, situationOf } from "@assay/suite";
import { describe, expect, test } from "vitest";
import { adviceOn } from "./advice.ts";

/** A call that starts at this second and takes 100 ms. Only the members that advice reads are there. */
const call = (operation: string, second: number, faults?: readonly string[]): ClientCall =>
  ({
    is: "call",
    operation,
    exchange: {
      ...(faults && { faults }),
      timing: { startedAt: new Date(second * 1_000).toISOString(), end: 100 },
    },
  }) as unknown as ClientCall;

const adviceIn = (id: string, ...requests: ClientCall[]) =>
  adviceOn({ situation: situationOf(id)!, requests, runs: [], prints: false });
const limited = call("SendMessage", 0, ["rate-limit"]);

describe("after 429", () => {
  test("a client that waits as long as it is asked to gets no advice", () => {
    expect(adviceIn("rate-limited", limited, call("SendMessage", 1.1))).toEqual([]);
  });

  test("the advice for a client that does not wait names its waiting time", () => {
    expect(adviceIn("rate-limited", limited, call("SendMessage", 0.14))).toEqual([
      "advice (rate-limited): wait for the time in Retry-After (1 s) before the next request; the client waited 40 ms",
    ]);
  });

  test("the advice for a client that gives up is to retry", () => {
    expect(adviceIn("rate-limited", limited)).toEqual([
      "advice (rate-limited): after 429, repeat the request when the time in Retry-After is over",
    ]);
  });
});

test("a client that does not poll after losing its stream gets the advice to poll", () => {
  const lost = [call("SendStreamingMessage", 0, ["cut"]), call("SubscribeToTask", 1, ["status"])];
  expect(adviceIn("no-second-stream", ...lost, call("GetTask", 2))).toEqual([]);
  expect(adviceIn("no-second-stream", ...lost)).toEqual([
    "advice (no-second-stream): after a lost stream and a failed SubscribeToTask, read the task with GetTask",
  ]);
});

test("a situation without a fault gives no advice", () => {
  expect(adviceIn("rate-limited", call("SendMessage", 0), call("SendMessage", 0))).toEqual([]);
  expect(adviceIn("lost-response", call("SendMessage", 0, ["reset"]))).toEqual([]);
});

describe("a stream that breaks", () => {
  const adviceAfter = (exit: number, output: string, operation = "SendStreamingMessage") =>
    adviceOn({
      situation: situationOf("dropped")!,
      requests: [call(operation, 0)],
      runs: [{ exit, output, errors: "" }],
      prints: true,
    });

  test("a client that ends as if nothing had happened gets the advice to read the task", () => {
    expect(adviceAfter(0, "half of it")).toEqual([expect.stringContaining("read the task with GetTask or report")]);
  });

  test("a client that reports an error, has the result, or does not stream gets no advice", () => {
    expect(adviceAfter(1, "")).toEqual([]);
    expect(adviceAfter(0, "streamed R8W1")).toEqual([]);
    expect(adviceAfter(0, "", "SendMessage")).toEqual([]);
  });
});

describe("polling", () => {
  /** Polls ten times, with this many milliseconds between a response and the next request. */
  const polling = (pauseMs: (index: number) => number) => {
    let second = 0;
    const polls = Array.from({ length: 10 }, (_, index) => {
      second += (100 + pauseMs(index)) / 1_000;
      return call("GetTask", second);
    });
    return adviceIn("follow", call("SendMessage", 0), ...polls);
  };

  test("the advice for a client that does not pause is to wait", () => {
    expect(polling(() => 1)).toEqual([
      "advice (follow): wait between two calls of GetTask; the client polls 10 times without a pause",
    ]);
  });

  test("a client that pauses gets no advice, nor one whose pause grows", () => {
    expect(polling(() => 100)).toEqual([]);
    expect(polling((index) => 2 ** index)).toEqual([]);
  });
});

describe("the reason of the agent", () => {
  const adviceAfter = (output: string, errors: string, prints = true) =>
    adviceOn({
      situation: situationOf("failed")!,
      requests: [call("SendMessage", 0)],
      runs: [{ output, errors }],
      prints,
    });

  test("a client that shows it gets no advice", () => {
    expect(adviceAfter("", "failed: this cannot be done")).toEqual([]);
    expect(adviceAfter("this cannot be done", "")).toEqual([]);
  });

  test("the advice for a client that reports only the state is to show it", () => {
    expect(adviceAfter("", "failed")).toEqual([
      'advice (failed): show the user the reason of the agent: "this cannot be done"',
    ]);
  });

  test("a client that never prints what agents say gets no advice", () => {
    expect(adviceAfter("", "failed", false)).toEqual([]);
  });
});
