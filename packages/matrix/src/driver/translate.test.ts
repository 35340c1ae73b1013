import { expect, test } from "vitest";
import { givenBy } from "./translate.ts";

test("what a printer of ProtoJSON leaves out is empty, and nothing is held against the client for that", () => {
  const given = givenBy("1.0", "ListTasks", { result: { pageSize: 50 }, events: [] }, false);
  expect(given.unreadable).toBeUndefined();
  const wrong = givenBy("1.0", "ListTasks", { result: { pageSize: 50, tasks: "none" }, events: [] }, false);
  expect(wrong.unreadable).toMatch(/^\$\.tasks/);
});
