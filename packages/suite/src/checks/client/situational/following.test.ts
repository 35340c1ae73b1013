import { describe, expect, test } from "vitest";
import type { ClientCall } from "../../../client/client-request.ts";
import type { SituationSeen } from "../../../client/situation-check.ts";
import { situationOf } from "../../../client/situations.ts";
import { noSecondWork, noWaitingForLost } from "./following.ts";

describe("a client that loses its stream and is stopped at its time limit", () => {
  const made = (operation: string, reply: object): ClientCall =>
    ({ is: "call", operation, reply, exchange: { id: operation } }) as unknown as ClientCall;
  const event = (state: string) => ({ is: "result", json: { statusUpdate: { taskId: "t", status: { state } } } });
  const lost = made("SendStreamingMessage", { is: "stream", events: [event("TASK_STATE_WORKING")] });
  const refused = made("SubscribeToTask", { is: "error", error: { http: 503 } });
  const poll = (state: string) => made("GetTask", { is: "result", json: { id: "t", status: { state } } });
  const judged = (quietMs: number, ...requests: readonly ClientCall[]) =>
    noWaitingForLost.judge({ requests, ended: "time-over", quietMs, runs: [] } as unknown as SituationSeen);

  test.each([
    ["asks nothing", [lost]],
    ["knows the end from GetTask", [lost, refused, poll("TASK_STATE_COMPLETED")]],
    [
      "knows the end from another stream",
      [lost, made("SubscribeToTask", { is: "stream", events: [event("TASK_STATE_COMPLETED")] })],
    ],
  ])("breaks the rule if it %s, and stays silent", (_name, calls) => {
    expect(judged(9_500, ...calls)).toMatchObject({
      is: "breach",
      code: "broken",
      saw: `${calls.length} calls, then none for 9 s`,
    });
    expect(judged(4_000, ...calls)).toMatchObject({ is: "not-examined" });
  });

  test.each([
    ["backs off after 503", [lost, refused, refused]],
    ["polls seldom", [lost, refused, poll("TASK_STATE_WORKING")]],
    ["sends again", [lost, lost]],
  ])("is not judged if it %s", (_name, calls) => {
    expect(judged(60_000, ...calls)).toMatchObject({ is: "not-examined", enable: "--timeout <seconds>" });
  });
});

describe("a client that ends after its stream broke", () => {
  const calls = (...operations: readonly string[]): ClientCall[] =>
    operations.map(
      (operation) => ({ is: "call", operation, reply: { is: "none" }, exchange: {} }) as unknown as ClientCall,
    );
  const seenOf = (exit: number, errors: string, ...operations: readonly string[]) =>
    ({
      situation: situationOf("dropped"),
      requests: calls(...operations),
      ended: "done",
      prints: true,
      runs: [{ exit, output: "half of it is done", errors }],
    }) as unknown as SituationSeen;

  test("keeps the rule if it reports an error", () => {
    expect(noWaitingForLost.judge(seenOf(1, "connection lost", "SendStreamingMessage"))).toMatchObject({ is: "holds" });
  });

  test("shows nothing if it reports neither the result nor an error", () => {
    expect(noWaitingForLost.judge(seenOf(0, "", "SendStreamingMessage"))).toMatchObject({ is: "not-examined" });
  });

  test("is not judged if it had no stream", () => {
    expect(noWaitingForLost.judge(seenOf(1, "no", "SendMessage", "GetTask"))).toBeUndefined();
    expect(noSecondWork.judge(seenOf(1, "no", "SendMessage", "GetTask"))).toBeUndefined();
  });
});
