import { expect, test } from "vitest";
import { agents, isRight, type PairResult, pairs, runPairsOf } from "./pairs.fixture.ts";

test("30 pairs were fixed", () => {
  expect(pairs).toHaveLength(30);
});

test("at least 24 forecasts are definite, 90 % of them are right, and none that says works loses an answer silently", async () => {
  const results: PairResult[] = [];
  for (const agent of Object.keys(agents)) results.push(...(await runPairsOf(agent)));
  for (const each of results)
    console.log(
      [
        each.client,
        each.agent,
        each.forecast.verdict,
        each.outcome,
        isRight(each) ?? "-",
        each.forecast.because,
        each.saw,
      ].join(" | "),
    );
  const definite = results.filter((each) => isRight(each) !== undefined);
  const right = definite.filter((each) => isRight(each));
  console.log(`definite ${definite.length} of ${results.length}, right ${right.length}`);
  expect(definite.length).toBeGreaterThanOrEqual(24);
  expect(right.length / definite.length).toBeGreaterThanOrEqual(0.9);
  expect(results.filter(({ outcome }) => outcome === "fails").length).toBeGreaterThanOrEqual(8);
  expect(definite.filter((each) => each.forecast.verdict === "works" && each.isSilent)).toEqual([]);
});
