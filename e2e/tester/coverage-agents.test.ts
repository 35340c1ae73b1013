import { expect, test } from "vitest";
import { examinationOf, shareOf } from "../../bench/src/coverage/families.ts";
import { kinds } from "../../bench/src/coverage/kinds.ts";
import { runOn } from "../../bench/src/coverage/run-on.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

// What `npm run bench -- coverage` counts, on one agent and at little depth.

const bed = useTestbed({ timeScale: 0.02 });

test("the rules of a run are counted as its report counts them, by family and with reasons", async () => {
  const report = await runOn(`${bed.url}/echo`, { depth: "quick", bindings: ["JSONRPC"] });
  const { families, open, ...counts } = examinationOf(report, kinds[0]!.shows);
  expect(counts).toMatchObject({ applicable: report.summary.applicable, examined: report.summary.examined });
  expect(families.find(({ family }) => family === "CACHE")).toMatchObject({ applicable: 4, examined: 4 });
  expect(open.length).toBe(counts.applicable - counts.examined);
  expect(open).toContainEqual({
    rule: "CARD-043",
    because: "prompt: expectations.otherCards in assay.yaml",
    opening: "operator",
  });
  expect(open).toContainEqual({
    rule: "INTASK-001",
    because: "prompt: prompts.authRequired in assay.yaml",
    opening: "not-shown",
  });
  expect(open.filter(({ because }) => because === "")).toEqual([]);
  expect(shareOf(counts)).toBeGreaterThan((100 * counts.examined) / counts.applicable);
});
