import type { Testbed } from "@assay/agents";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prove, startFixtures } from "./proving.fixture.ts";

/** Rules that need the operator's word are examined with it (good-agents.test.ts), and name it without. */

let bed: Testbed;
beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(() => bed.close(0));

test.each([
  ["CTX-005", "recall", "spec", "spec"],
  ["LIFE-007", "refinement", "spec", "spec"],
  ["LIFE-011", "ambiguous", "spec", "spec"],
  ["INTASK-007", "approvals", "spec", "spec"],
  ["CARD-043", "otherCards", "spec", "spec"],
  ["XCARD-007", "privilegedSkills", "secure", "secure"],
  ["EXT-015", "protectedMethods", "variants/extension-method", "secure"],
  ["BIND-015", "silentBindings", "mutants/BIND-015.claims-streams", "spec"],
])("%s is not examined without expectations.%s, and costs nothing", async (rule, name, path, base) => {
  const { results, report } = await prove(bed, path, {
    base,
    only: [rule],
    binding: "JSONRPC",
    dialect: "1.0",
    more: { expectations: {} },
  });
  expect(results).toEqual([
    expect.objectContaining({
      test: rule,
      verdict: "not-examined",
      unexamined: "prompt",
      enable: `expectations.${name} in assay.yaml`,
    }),
  ]);
  expect(report.summary.workingMessages).toBe(0);
});

test("an agent that recognises repeated messages gets a note and no accusation", async () => {
  const { results } = await prove(bed, "variants/recognises-repeats", {
    base: "spec",
    only: ["SEND-018"],
    binding: "JSONRPC",
  });
  expect(results).toEqual([
    expect.objectContaining({
      verdict: "pass",
      info: "the agent recognises a repeated messageId and returns the same task",
    }),
  ]);
});
