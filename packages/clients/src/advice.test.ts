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

const adviceIn = (id: string, ...requests: ClientCall[]) => adviceOn({ situation: situationOf(id)!, requests });
const limited = call("SendMessage", 0, ["rate-limit"]);

describe("after 429", () => {
  test("a client that waits as long as it is asked to gets no advice", () => {
    expect(adviceIn("rate-limited", limited, call("SendMessage", 1.1))).toEqual([]);
  });

  test("the advice for a client that does not wait names its waiting time", () => {
    expect(adviceIn("rate-limited", limited, call("SendMessage", 0.14))).toEqual([
      "advice: wait for the time in Retry-After (1 s) before the next request; the client waited 40 ms",
    ]);
  });

  test("the advice for a client that gives up is to retry", () => {
    expect(adviceIn("rate-limited", limited)).toEqual([
      "advice: after 429, repeat the request when the time in Retry-After is over",
    ]);
  });
});

test("a client that does not poll after losing its stream gets the advice to poll", () => {
  const lost = [call("SendStreamingMessage", 0, ["cut"]), call("SubscribeToTask", 1, ["status"])];
  expect(adviceIn("no-second-stream", ...lost, call("GetTask", 2))).toEqual([]);
  expect(adviceIn("no-second-stream", ...lost)).toEqual([
    "advice: after a lost stream and a failed SubscribeToTask, read the task with GetTask",
  ]);
});

test("a situation without a fault gives no advice", () => {
  expect(adviceIn("rate-limited", call("SendMessage", 0), call("SendMessage", 0))).toEqual([]);
  expect(adviceIn("lost-response", call("SendMessage", 0, ["reset"]))).toEqual([]);
});
