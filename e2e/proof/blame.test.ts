import type { Testbed } from "@assay/agents";
import { afterAll, expect, test } from "vitest";
import { line, prove, startFixtures } from "./fixtures.ts";

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

/** Faults that show in what other rules look at: those rules have nothing to do with them. */
test.each([["JSONRPC-017.bare", "SEC-004", "no event can be read, whatever the message says"]])(
  "%s is not held against %s: %s",
  { timeout: 60_000 },
  async (mutant, rule) => {
    const { results } = await prove(bed, `mutants/${mutant}`, { base: "spec", only: [rule], dialect: "1.0" });
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ verdict }) => verdict === "fail").map(line)).toEqual([]);
  },
);
