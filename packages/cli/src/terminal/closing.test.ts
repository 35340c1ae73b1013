import { describe, expect, test } from "vitest";
import { finished, found, planned, reportOf, result, started } from "../run.fixture.ts";
import { closingLines } from "./closing.ts";

const skipped = [
  result("LIST-003", { verdict: "not-examined", unexamined: "depth", enable: "--depth full" }),
  result("LIFE-001", { verdict: "not-examined", unexamined: "prompt", enable: "prompts.slow in assay.yaml" }),
];
const nextOf = (more: object): string | undefined =>
  closingLines(
    { ...reportOf([started, found, planned, ...skipped, finished]), ...more },
    { url: "http://127.0.0.1:9999", hasConfig: false, files: ["run.html"], isRecorded: true },
  ).find((line) => line.startsWith("Next"));

describe("the next step of a run", () => {
  test("is a longer run and prompts", () => {
    expect(nextOf({ outcome: "conformant" })).toBe(
      "Next    assay init http://127.0.0.1:9999   ·   assay test … --depth full",
    );
  });

  test("is absent if the run is inconclusive, which has a first step", () => {
    expect(nextOf({ outcome: "inconclusive" })).toBeUndefined();
  });

  test("is to resume an interrupted run", () => {
    expect(nextOf({ outcome: "inconclusive", ending: "interrupted" })).toBe("Next    assay test … --resume");
  });
});
