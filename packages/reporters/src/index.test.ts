import { expect, test } from "vitest";
import { formatsWith, loadReporters } from "./formats.ts";
import type { Run } from "./run.ts";
import { manyResults, sampleRun, sampleWith } from "./sample.fixture.ts";

const reporters = await loadReporters();

test("no format is lost", () => {
  const known = ["json", "json+evidence", "ndjson", "markdown", "junit", "har", "html", "github", "sarif", "badge"];
  expect(Object.keys(reporters)).toEqual(expect.arrayContaining([...known, "schedule"]));
});

test("ndjson, har and schedule are made from the recording", () => {
  expect(formatsWith("needsRecording")).toEqual(["ndjson", "har", "forecast", "forecast-badge", "schedule"]);
});

test.each(Object.entries(reporters))("%s is the same each time, and ends with a line", (_, write) => {
  expect(write(sampleRun)).toBe(write(sampleRun));
  expect(write(sampleRun).endsWith("\n")).toBe(true);
});

test.each(Object.entries(reporters))("%s reads twice as much of twice as many results, not four times", (_, write) => {
  const few = readsOf(write, sampleWith(manyResults(500)));
  const many = readsOf(write, sampleWith(manyResults(1_000)));
  expect(many / few).toBeLessThan(2.5);
});

/** How often a format looks at a member of a run, however deep. */
function readsOf(write: (run: Run) => string, run: Run): number {
  const known = new WeakMap<object, object>();
  let reads = 0;
  const counting = <T>(value: T): T => {
    if (typeof value !== "object" || value === null) return value;
    const proxy =
      known.get(value) ??
      new Proxy(value, {
        get(target, name) {
          reads += 1;
          return counting(Reflect.get(target, name));
        },
      });
    known.set(value, proxy);
    // Stands for the value itself.
    return proxy as T;
  };
  write(counting(run));
  return reads;
}
