import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { difference } from "./equivalence.ts";

const task: JsonObject = {
  id: "t1",
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-03-12T09:30:00.120Z" },
  artifacts: [{ artifactId: "a", parts: [{ data: { x: 1, y: [] } }, { raw: "AAE=" }] }],
};
const withStatus = (more: JsonObject): JsonObject => ({
  ...task,
  status: { ...(task["status"] as JsonObject), ...more },
});
const withPart = (part: JsonObject): JsonObject => ({
  ...task,
  artifacts: [{ artifactId: "a", parts: [{ data: { x: 1, y: [] } }, part] }],
});

describe("what the bindings may write differently is no difference", () => {
  test.each<[what: string, other: JsonObject]>([
    ["the order of members", Object.fromEntries(Object.entries(task).toReversed())],
    ["what is empty", { ...task, contextId: "", history: [], metadata: {} }],
    ["what nobody knows", { ...task, kind: "task" }],
    ["a coarser time", withStatus({ timestamp: "2026-03-12T09:30:00Z" })],
    ["a finer time", withStatus({ timestamp: "2026-03-12T09:30:00.120456Z" })],
    ["base64 without padding", withPart({ raw: "AAE" })],
    ["null", { ...task, metadata: null }],
  ])("%s", (_what, other) => {
    expect(difference("Task", task, other)).toBeUndefined();
    expect(difference("Task", other, task)).toBeUndefined();
  });
});

describe("what means something else is one, and its place is named", () => {
  test.each<[what: string, other: JsonObject, path: string]>([
    ["another state", withStatus({ state: "TASK_STATE_FAILED" }), "$.status.state"],
    ["another time", withStatus({ timestamp: "2026-03-12T09:30:01Z" }), "$.status.timestamp"],
    ["a member that is missing", { ...task, artifacts: [] }, "$.artifacts"],
    ["other bytes", withPart({ raw: "AAI=" }), "$.artifacts[0].parts[1].raw"],
    ["another kind of content", withPart({ text: "AAE=" }), "$.artifacts[0].parts[1].text"],
    ["a number as a string", { ...task, metadata: { n: "1" } }, "$.metadata"],
  ])("%s", (_what, other, path) => {
    expect(difference("Task", task, other)).toBe(path);
  });
});
