import type { Testbed } from "@assay/agents";
import { checks, ruleOf } from "@assay/suite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { line, prove, startFixtures } from "./fixtures.ts";

const bed: Testbed = await startFixtures();
const { mutants } = await bed.families();
const ids = new Set(checks.map(({ id }) => id));
const ruleIn = (mutant: string): string => mutant.split(".", 1)[0]!;
const known = mutants.filter(({ id }) => ids.has(ruleIn(id)));

beforeAll(() => {});
afterAll(() => bed.close(0));

/** A broken MUST that the specification states must fail; whatever weighs less must at least be warned of. */
const isFirm = (id: string): boolean => {
  const { level, basis } = ruleOf(id)!;
  return level.startsWith("MUST") && (basis === "stated" || basis === "schema" || basis === "prose");
};

describe.concurrent("each mutant is caught by the check of its rule", () => {
  test.each(known)("$id", async ({ id, base }) => {
    const rule = ruleIn(id);
    const { results } = await prove(bed, `mutants/${id}`, { base, only: [rule] });
    const told = results.filter((result) => result.test === rule);
    const caught = told.filter(
      ({ verdict, warning }) => verdict === "fail" || (!isFirm(rule) && warning !== undefined),
    );
    expect(caught.length, told.map(line).join("\n")).toBeGreaterThan(0);
  });
});

test("every check has been seen to fail: there is a mutant for its rule", () => {
  const broken = new Set(mutants.map(({ id }) => ruleIn(id)));
  expect(checks.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});
