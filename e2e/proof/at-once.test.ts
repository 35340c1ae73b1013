import type { Testbed } from "@assay/agents";
import type { DialectVersion } from "@assay/protocol";
import { resultsOf } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { ruleOfMutant } from "./caught.fixture.ts";
import { line, prove, startFixtures } from "./proving.fixture.ts";

/** Two tasks at the same moment, in every version: neither ids nor contexts nor streams are mixed up. */

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const trials: readonly (readonly [mutant: string, base: string, dialect: DialectVersion])[] = [
  ["CTX-002.at-once@spec03", "spec03", "0.3"],
  ["CTX-007.at-once@spec03", "spec03", "0.3"],
  ["STREAM-019.at-once@spec03", "spec03", "0.3"],
  ["CTX-002.at-once@spec02", "spec02", "0.2"],
  ["CTX-007.at-once@spec02", "spec02", "0.2"],
  ["STREAM-019.at-once@spec02", "spec02", "0.2"],
  ["V01-STREAM-005.at-once", "spec01", "0.1"],
];

describe.concurrent("who mixes them up is caught in older versions too", () => {
  // Whether two messages meet is a matter of load; an accusation is never given a second try.
  test.each(trials)("%s", async (mutant, base, dialect) => {
    const rule = ruleOfMutant(mutant);
    const { results } = await prove(bed, `mutants/${mutant}`, { base, only: [rule], binding: "JSONRPC", dialect });
    // What 0.2 and 0.3 only recommend earns a warning.
    const told = results.filter((result) => result.verdict === "fail" || result.warning !== undefined);
    expect(told.map(({ test: id }) => id)).toEqual([rule]);
  });
});

test.concurrent.each([
  ["spec", "1.0"],
  ["spec03", "0.3"],
  ["spec02", "0.2"],
  ["spec01", "0.1"],
] as const)("/%s keeps them apart, and its report has something to say under interop", async (base, dialect) => {
  const only = ["CTX-002", "CTX-007", "STREAM-019", "V01-STREAM-005"];
  const { report, results } = await prove(bed, base, { base, only, binding: "JSONRPC", dialect });
  expect(results.filter(({ verdict }) => verdict !== "pass").map(line)).toEqual([]);
  const examined = report.categories.interop.filter(({ status }) => status === "pass").map(({ test: id }) => id);
  expect(examined).toEqual(dialect === "0.1" ? ["V01-STREAM-005"] : ["CTX-007", "STREAM-019"]);
  expect(resultsOf(report).length).toBeGreaterThan(examined.length);
});
