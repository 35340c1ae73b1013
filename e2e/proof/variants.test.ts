import type { Testbed } from "@assay/agents";
import { afterAll, describe, expect, test } from "vitest";
import { variantRows } from "../surroundings/rows.case.ts";
import { line, prove, startFixtures } from "./fixtures.ts";

const bed: Testbed = await startFixtures();
const families = await bed.families();
// What shows their surroundings is tested in e2e/surroundings, where it is said which of them are seen through.
const variants = families.variants.filter(({ id }) => !variantRows.some((row) => row.id === id));
afterAll(() => bed.close(0));

/** Set by `npm run prove`: those of /spec and /secure are tested in 0.3 as well, though they are odd in 1.0. */
const provesAll = process.env["ASSAY_PROVE"] === "all";

/** What is odd about them is how they speak several versions, or an older one. */
const isOlder = ({ id, base }: { id: string; base: string }): boolean =>
  /^spec0\d$/.test(base) || ["legacy-card", "card-by-version", "card-for-everybody", "silent-about-0.3"].includes(id);

describe.concurrent("what is odd but within the rules is accused of nothing", () => {
  test.each(variants)("$id", { timeout: 120_000 }, async (variant) => {
    const { id, base } = variant;
    const inAll = provesAll || isOlder(variant);
    const { results, report } = await prove(bed, `variants/${id}`, { base, ...(!inAll && { dialect: "1.0" }) });
    expect(report.ending).toBe("done");
    const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
    expect(wrong.map(line)).toEqual([]);
  });
});
