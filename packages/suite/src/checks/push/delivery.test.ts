import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import type { ActiveCheck } from "../../define/check.ts";
import type { Finding } from "../../define/finding.ts";
import { delivery } from "./delivery.ts";

const noMoreAfterDeletion = delivery.find(({ id }) => id === "PUSH-017") as ActiveCheck;

/** How the check judges notifications in these states to a deleted webhook of a task that went on for so long. */
function judged(states: readonly string[], aliveAfterDeletion: number): string {
  const call = { reply: { is: "result", json: {} } };
  const notifications = states.map((state) => ({ state, delivery: { body: new Uint8Array() } }));
  const seen = {
    configs: { deletion: { call }, outlived: true },
    doomed: { notifications },
    last: { state: "TASK_STATE_COMPLETED" },
    aliveAfterDeletion,
  };
  return (noMoreAfterDeletion.judge({ notifications: seen }, undefined as never) as Finding).is;
}

test.each([
  ["nothing came", [], 2_000, "holds"],
  ["something from before the deletion came late", ["TASK_STATE_WORKING"], 2_000, "holds"],
  ["the end came long after the deletion", ["TASK_STATE_COMPLETED"], 2_000, "breach"],
  ["the end came right behind the deletion", ["TASK_STATE_COMPLETED"], 100, "not-examined"],
] as const)("a deleted webhook: %s", (_, states, aliveFor, expected) => {
  expect(judged(states, aliveFor)).toBe(expected);
});

describe("the task of a notification", () => {
  const check = delivery.find(({ id }) => id === "PUSH-027") as ActiveCheck;
  const judgedBody = (event: JsonObject, taskId?: string): string => {
    const call = { reply: { is: "result", json: {} } };
    const notification = { delivery: { body: new Uint8Array() }, event, taskId };
    const seen = { heard: [{ taskId: "t", webhook: { call }, notifications: [notification] }] };
    return (check.judge({ notifications: seen }, undefined as never) as Finding).is;
  };

  test("is the configured one", () => {
    expect(judgedBody({ statusUpdate: { taskId: "t" } }, "t")).toBe("holds");
    expect(judgedBody({ statusUpdate: { taskId: "other" } }, "other")).toBe("breach");
    expect(judgedBody({ statusUpdate: {} })).toBe("breach");
  });

  test("is unknown in a body that is not a StreamResponse, which PUSH-022 judges", () => {
    expect(judgedBody({ id: "t", status: {} })).toBe("holds");
  });
});
