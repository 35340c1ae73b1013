import { describe, expect, test } from "vitest";
import { type ErrorName, plain } from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { at, expectRefused } = usePlainPosts();

describe("malformed paths and queries of HTTP+JSON", () => {
  const get = (path: string) => plain(at(path), { headers: { "A2A-Version": "1.0" } });

  test.each<[string, ErrorName]>([
    ["spec/tasks/%", "InvalidParams"],
    ["spec/tasks/%zz", "InvalidParams"],
    ["spec/tasks/%ff%fe", "InvalidParams"],
    ["spec/tasks/%c0%af", "InvalidParams"],
    ["spec/tasks/%00", "TaskNotFound"],
    ["spec/tasks/a%2fb", "TaskNotFound"],
    ["spec/tasks/..%2f..%2fetc", "TaskNotFound"],
    ["spec/tasks/x?historyLength=%zz", "InvalidParams"],
    ["spec/tasks?pageSize=%ff", "InvalidParams"],
    ["spec/tasks?%zz=1", "InvalidParams"],
    ["spec/%zz/tasks", "InvalidParams"],
    ["spec/%00/tasks", "InvalidParams"],
    ["spec/tasks/x:nope", "TaskNotFound"],
    ["spec/tasks/:cancel", "TaskNotFound"],
    ["%73pec/tasks", "InvalidParams"],
    ["spec/TASKS", "MethodNotFound"],
  ])("/%s", async (path, error) => {
    await expectRefused("HTTP+JSON", await get(path), error);
  });

  test("an id of 8,000 characters is an unknown id", async () => {
    await expectRefused("HTTP+JSON", await get(`spec/tasks/${"x".repeat(8_000)}`), "TaskNotFound");
  });

  test.each([
    "spec/tasks?",
    "spec/tasks?&&&",
    "spec/tasks?=",
    "spec/tasks?unknown=1&unknown=2",
    "spec/tasks?pageSize=",
  ])("/%s is still a listing", async (path) => {
    const answer = await get(path);
    expect([answer.status, JSON.parse(answer.text).pageSize]).toEqual([200, 50]);
  });
});
