import { expect, test } from "vitest";
import { reporters } from "./index.ts";
import { manyResults, sampleRun, sampleWith } from "./sample.case.ts";

test("the formats that there are", () => {
  expect(Object.keys(reporters)).toEqual([
    "json",
    "json+evidence",
    "ndjson",
    "markdown",
    "junit",
    "har",
    "html",
    "github",
    "sarif",
    "badge",
  ]);
});

test.each(Object.entries(reporters))("%s is the same each time, ends with a line, and is quick", (_, write) => {
  expect(write(sampleRun)).toBe(write(sampleRun));
  expect(write(sampleRun).endsWith("\n")).toBe(true);
  const many = sampleWith(manyResults(2000));
  const before = performance.now();
  write(many);
  // Takes some 30 ms; what grows with the square of the results takes seconds, also on a busy machine.
  expect(performance.now() - before).toBeLessThan(1000);
});
