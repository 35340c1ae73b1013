import type { Testbed } from "@assay/agents";
import { checks } from "@assay/suite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { line, type Proof, prove, startFixtures } from "./fixtures.ts";

const agents = ["spec", "full", "strict", "minimal", "echo", "secure"];

let bed: Testbed;
const proofs = new Map<string, Promise<Proof>>();

beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(() => bed.close(0));

const proofOf = (path: string): Promise<Proof> => {
  const known = proofs.get(path) ?? prove(bed, path, { base: path });
  proofs.set(path, known);
  return known;
};

describe.each(agents)("/%s", (path) => {
  test("is accused of nothing, and nothing is held up or broke down on our side", async () => {
    const { results, report } = await proofOf(path);
    expect(report.ending).toBe("done");
    const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
    expect(wrong.map(line)).toEqual([]);
  });

  test("is warned of nothing", async () => {
    const { results } = await proofOf(path);
    expect(results.filter(({ warning }) => warning !== undefined).map(line)).toEqual([]);
  });

  test("gets no more messages than were announced", async () => {
    const { events, report } = await proofOf(path);
    const announced = events.find((event) => event.event === "planned");
    expect(report.summary.workingMessages).toBeLessThanOrEqual(announced?.workingMessages ?? 0);
  });
});

test.each(checks.map(({ id, title }) => ({ id, title })))("$id holds on a good agent: $title", async ({ id }) => {
  const all = await Promise.all(agents.map(proofOf));
  const verdicts = all.flatMap(({ results }) => results.filter((result) => result.test === id)).map(line);
  expect(verdicts.some((verdict) => / \| pass/.test(verdict))).toBe(true);
});
