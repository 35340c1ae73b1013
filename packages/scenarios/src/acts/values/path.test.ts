import { expect, test } from "vitest";
import { readPath, valueAt, valuesAt } from "./path.ts";

const answer = {
  task: {
    id: "t",
    artifacts: [{ parts: [{ text: "a" }, { text: "b" }] }, { parts: [{ data: { n: 1 } }] }],
  },
};

test("dots lead into objects, brackets into lists", () => {
  expect(valueAt(answer, "task.id")).toBe("t");
  expect(valueAt(answer, "task.artifacts[0].parts[1].text")).toBe("b");
  expect(valueAt([{ a: 1 }], "[0].a")).toBe(1);
});

test("what is not there is undefined, and no prototype answers for it", () => {
  expect(valueAt(answer, "task.missing.deeper")).toBeUndefined();
  expect(valueAt(answer, "task.artifacts[9]")).toBeUndefined();
  expect(valueAt(answer, "task.toString")).toBeUndefined();
  expect(valueAt("text", "length")).toBeUndefined();
});

test("a star names every element, each with its place", () => {
  expect(valuesAt(answer, "task.artifacts[*].parts[*]")).toEqual([
    { path: "task.artifacts[0].parts[0]", value: { text: "a" } },
    { path: "task.artifacts[0].parts[1]", value: { text: "b" } },
    { path: "task.artifacts[1].parts[0]", value: { data: { n: 1 } } },
  ]);
});

test.each(["task..id", "task[", "task[x]", "task.artifacts[-1]", "a b"])("%j is no path", (text) => {
  expect(readPath(text)).toBeUndefined();
});

test.each(["", "task", "error.data[*]", "supportedInterfaces[0].url", "x-vendor.@type"])("%j is a path", (text) => {
  expect(readPath(text)).toBeDefined();
});
