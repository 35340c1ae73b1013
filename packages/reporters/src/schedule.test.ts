import { expect, test } from "vitest";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import type { Run } from "./run.ts";
import { sampleRun } from "./sample.fixture.ts";
import { schedule } from "./schedule.ts";
import { tagsOf } from "./tags.fixture.ts";

/** The sample with one more observation. */
const withLane = ({ events, report }: Run, what: string, binding: string): Run => ({
  report,
  events: [
    ...events,
    {
      event: "observed",
      what,
      interface: { url: "http://agent.test/", dialect: "1.0", binding },
      from: 31_000,
      to: 36_000,
      waits: [{ for: "due", from: 32_000, to: 36_000 }],
    },
  ],
});

test("a run without observations is an empty picture that says so", () => {
  expect(tagsOf(schedule(sampleRun))).toContain("svg");
  expect(schedule(sampleRun)).toContain('aria-label="The schedule of a run: 0 observations in 48.0 s"');
});

test("an observation is a lane with its name, its time and what that went on", () => {
  const text = schedule(withLane(sampleRun, "a stream of a task", "JSONRPC"));
  expect(text).toContain("<title>a stream of a task (JSON-RPC, 1.0): 31.0 s to 36.0 s</title>");
  expect(text).toContain("something is due: 4.0 s");
  expect(tagsOf(text).filter((tag) => tag === "rect")).toHaveLength(9);
});

test.each(Object.entries(nastyStrings))("%s in an address breaks nothing", (_, text) => {
  const drawn = schedule(withLane(runThatSays(text), "a stream", text));
  expect(tagsOf(drawn)).toEqual(tagsOf(schedule(withLane(runThatSays("plain"), "a stream", "plain"))));
});
