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

  test("a client that does not wait is told how long it waited", () => {
    expect(adviceIn("rate-limited", limited, call("SendMessage", 0.14))).toEqual([
      "advice: wait for the time in Retry-After (1 s) before the next request; the client waited 40 ms",
    ]);
  });

  test("a client that gives up is told to try again", () => {
    expect(adviceIn("rate-limited", limited)).toEqual([
      "advice: after 429, repeat the request when the time in Retry-After is over",
    ]);
  });
});

test("a client whose stream is lost for good is told to poll, unless it does", () => {
  const lost = [call("SendStreamingMessage", 0, ["cut"]), call("SubscribeToTask", 1, ["status"])];
  expect(adviceIn("no-second-stream", ...lost, call("GetTask", 2))).toEqual([]);
  expect(adviceIn("no-second-stream", ...lost)).toEqual([
    "advice: after a lost stream and a failed SubscribeToTask, read the task with GetTask",
  ]);
});

test("without a fault there is no advice", () => {
  expect(adviceIn("rate-limited", call("SendMessage", 0), call("SendMessage", 0))).toEqual([]);
  expect(adviceIn("lost-response", call("SendMessage", 0, ["reset"]))).toEqual([]);
});
