import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { root } from "./clients.fixture.ts";
import { every, habits, isRight, later, type PairResult, pairs, runPairsOf, unseen } from "./pairs.fixture.ts";

const writes = process.env["ASSAY_WRITE_TABLE"] !== undefined;

const groups = [
  { name: "pairs", wanted: pairs, least: 24, fails: 8 },
  { name: "later", wanted: later, least: 14, fails: 0 },
  // All pairs take ten minutes more.
  { name: "unseen", wanted: process.env["ASSAY_EVERY_PAIR"] === undefined ? unseen : every, least: 38, fails: 8 },
  { name: "habits", wanted: habits, least: 10, fails: 4 },
] as const;

for (const { name, wanted, least, fails } of groups)
  describe.skipIf(!provesAll)(
    `the forecast is compared with what really happens: '${name}'`,
    { shuffle: false },
    () => {
      const results: PairResult[] = [];

      test.each([...new Set(wanted.map(([, agent]) => agent))])("on %s", async (agent) => {
        const made = await runPairsOf(agent, wanted);
        expect(made).toHaveLength(wanted.filter((pair) => pair[1] === agent).length);
        results.push(...made);
      });

      test("enough forecasts are definite, and nine in ten of them are right", () => {
        if (writes) writeTable(name, results);
        const definite = results.filter((each) => isRight(each) !== undefined);
        const wrong = definite.filter((each) => !isRight(each));
        expect(definite.length, JSON.stringify(results, null, 1)).toBeGreaterThanOrEqual(least);
        expect(wrong.length / definite.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.1);
        expect(results.filter(({ outcome }) => outcome === "fails").length).toBeGreaterThanOrEqual(fails);
        expect(definite.filter(({ forecast, isSilent }) => forecast.verdict === "works" && isSilent)).toEqual([]);
      });
    },
  );

/** Writes the table between its marks in docs/forecast.md. */
function writeTable(name: string, results: readonly PairResult[]): void {
  const file = join(root, "docs/forecast.md");
  const rows = results.map((each) => {
    const right = isRight(each);
    return `| ${each.client} | ${each.agent} | ${each.forecast.verdict} | ${each.outcome} | ${right === undefined ? "" : right ? "yes" : "**no**"} |`;
  });
  const table = ["| client | agent | forecast | outcome | right |", "|---|---|---|---|---|", ...rows].join("\n");
  const [begin, end] = [`<!-- table: ${name} -->`, `<!-- end of ${name} -->`];
  const page = readFileSync(file, "utf8");
  const [before, rest] = page.split(begin);
  writeFileSync(file, `${before}${begin}\n${table}\n${end}${rest!.split(end)[1]}`);
}
