import { expect, test } from "vitest";
import type { ClientCall } from "../../../client/client-request.ts";
import type { SituationSeen } from "../../../client/situation-check.ts";
import { situationOf } from "../../../client/situations.ts";
import { learnsTheEnd } from "./following.ts";

/** A call that starts at this millisecond and takes 5 ms. Only the members that the check reads are there. */
const call = (operation: string, ms: number, json: object): ClientCall =>
  ({
    is: "call",
    operation,
    reply: { is: "result", json },
    exchange: { id: `x${ms}`, timing: { startedAt: new Date(ms).toISOString(), end: 5 } },
  }) as unknown as ClientCall;

const working = { id: "t", status: { state: "TASK_STATE_WORKING" } };

/** Polls ten times, with this many milliseconds between a response and the next request. */
function polling(pauseMs: (index: number) => number) {
  let now = 1_000;
  const polls = Array.from({ length: 10 }, (_, index) => {
    now += 5 + pauseMs(index);
    return call("GetTask", now, working);
  });
  const requests = [call("SendMessage", 1_000, { task: working }), ...polls];
  return learnsTheEnd.judge({ situation: situationOf("follow")!, requests, runs: [] } as unknown as SituationSeen);
}

test("polling without a pause is remarked on", () => {
  expect(polling(() => 1)).toMatchObject({
    is: "holds",
    note: "the client polls without a pause: 10 calls; wait between two calls of GetTask",
  });
});

test("polling with a pause is not, nor with one that grows", () => {
  expect(polling(() => 100)).not.toHaveProperty("note");
  expect(polling((index) => 2 ** index)).not.toHaveProperty("note");
});
