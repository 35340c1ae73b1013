import type { Message, Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import type { TaskEvent } from "../store/store.ts";
import { TaskGrowth, TaskTooLarge } from "./growth.ts";

const message: Message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "x" }] };
const task: Task = { id: "t", status: { state: "TASK_STATE_WORKING" }, history: [message] };
const working: TaskEvent = { is: "status", status: { state: "TASK_STATE_WORKING", message } };
const completed: TaskEvent = { is: "status", status: { state: "TASK_STATE_COMPLETED", message } };
const chunk = (text: string, append: boolean, artifactId = "a"): TaskEvent => ({
  is: "artifact",
  artifact: { artifactId, parts: [{ text }] },
  append,
  lastChunk: false,
});

describe("a task", () => {
  test("has so many messages, of client and agent together; how it ends can always be said", () => {
    const growth = new TaskGrowth({ historyMessages: 3 }, task);
    growth.add(working);
    growth.add({ is: "status", status: { state: "TASK_STATE_WORKING" } });
    growth.add(working);
    expect(() => growth.add(working)).toThrow(TaskTooLarge);
    growth.add(completed);
  });

  test("counts what was said before", () => {
    const before: Task = { ...task, status: { state: "TASK_STATE_INPUT_REQUIRED", message } };
    expect(() => new TaskGrowth({ historyMessages: 2 }, before).add(working)).toThrow(TaskTooLarge);
  });

  test("has artifacts of such a size, each with all its chunks", () => {
    const growth = new TaskGrowth({ artifactBytes: 100 }, task);
    growth.add(chunk("x".repeat(30), false));
    growth.add(chunk("x".repeat(30), false, "b"));
    expect(() => growth.add(chunk("x".repeat(30), true))).toThrow(TaskTooLarge);
    // A replaced artifact counts with its new size.
    growth.add(chunk("x".repeat(40), false));
  });

  test("grows as it likes unless it is said", () => {
    const growth = new TaskGrowth({}, task);
    for (let n = 0; n < 100; n++) growth.add(working);
    growth.add(chunk("x".repeat(100_000), false));
  });
});
