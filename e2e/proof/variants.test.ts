import type { Testbed } from "@assay/agents";
import { afterAll, describe, expect, test } from "vitest";
import { line, prove, startFixtures } from "./fixtures.ts";

const bed: Testbed = await startFixtures();
const { variants } = await bed.families();
afterAll(() => bed.close(0));

describe.concurrent("what is odd but within the rules is accused of nothing", () => {
  test.each(variants)("$id", { timeout: 60_000 }, async ({ id, base }) => {
    const { results, report } = await prove(bed, `variants/${id}`, { base });
    expect(report.ending).toBe("done");
    const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
    expect(wrong.map(line)).toEqual([]);
  });
});
