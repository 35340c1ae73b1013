import { describe, expect, test } from "vitest";
import type { LearnedSpellings } from "./lab.ts";
import type { ContractOutcome } from "./outcome.ts";
import { ProbeExpectations } from "./outcome.ts";
import { defaultKeys } from "./probes/defaults.ts";
import { probes } from "./probes/index.ts";
import { contractReport } from "./report.ts";
import { requirements } from "./requirements.ts";

const passed: ContractOutcome = { status: "pass", faults: [] };
const allPassed = (): Map<string, ContractOutcome> => new Map(requirements.map(({ id }) => [id, passed]));

const learnedWith = (keys: readonly string[]): LearnedSpellings => ({
  speaks: new Set(["JSONRPC"]),
  codes: new Set(["A2ACLI_ERR_USAGE"]),
  defaults: new Map(keys.map((key) => [key, { shipped: true, overridable: true }])),
});

const reportOf = (outcomes: ReadonlyMap<string, ContractOutcome>, keys = defaultKeys) =>
  contractReport({ outcomes, learned: learnedWith(keys) }, { tool: "a2a", version: "0.1.0", date: "2026-11-18" });

test("the contract has 66 requirements in three tiers, and a probe for each", () => {
  const { summary } = reportOf(new Map());
  expect([summary.tier_1.total, summary.tier_2.total, summary.tier_3.total]).toEqual([39, 15, 12]);
  expect(Object.keys(probes).toSorted()).toEqual(requirements.map(({ id }) => id).toSorted());
  expect(requirements.filter(({ needs }) => needs && !(needs in probes))).toEqual([]);
});

describe("the roll-up fails closed", () => {
  const with_ = (id: string, outcome: ContractOutcome) => reportOf(new Map([...allPassed(), [id, outcome]]));

  test("everything passed", () => {
    expect(reportOf(allPassed())).toMatchObject({
      report: { tier_claimed: 3, spec_version: "0.2", spec_revision: "2026-08-17", transports_covered: ["JSON-RPC"] },
      summary: { tier_3: { pass: 12, satisfied: true } },
    });
  });

  test("every requirement has a note, and that of a pass says how it was measured", () => {
    const { requirements: reported } = reportOf(allPassed());
    expect(Object.values(reported).filter(({ note }) => !note)).toEqual([]);
    expect(reported["A2ACLI_SEND_001"]?.note).toMatch(/^measured: send to an agent that answers with a message/);
    const remarked = { ...passed, note: "the skill has a MUST" };
    expect(with_("A2ACLI_SKILL_002", remarked).requirements["A2ACLI_SKILL_002"]?.note).toBe("the skill has a MUST");
  });

  test("nothing measured", () => {
    const report = reportOf(new Map());
    expect(report.report.tier_claimed).toBe("none");
    expect(report.summary.tier_1).toMatchObject({ not_measured: 39, pass: 0, satisfied: false });
    expect(Object.keys(report.requirements)).toHaveLength(66);
    expect(Object.values(report.requirements).filter(({ note }) => !note)).toEqual([]);
  });

  test.each(["partial", "fail", "not_measured"] as const)("one %s blocks its tier and all above", (status) => {
    const { summary, report } = with_("A2ACLI_OUT_007", { status, note: "why", faults: [] });
    expect([summary.tier_1.satisfied, summary.tier_2.satisfied, summary.tier_3.satisfied]).toEqual([
      true,
      false,
      false,
    ]);
    expect(report.tier_claimed).toBe(1);
  });

  test("only a conditional requirement may be inapplicable", () => {
    const na: ContractOutcome = { status: "na", note: "why", faults: [] };
    expect(with_("A2ACLI_SKILL_001", na).summary.tier_1.satisfied).toBe(true);
    expect(with_("A2ACLI_SEND_001", na).summary.tier_1.satisfied).toBe(false);
  });

  test("DEFAULT_001 needs every row of its breakdown", () => {
    const report = reportOf(allPassed(), defaultKeys.slice(1));
    expect(report.requirements["A2ACLI_DEFAULT_001"]?.status).toBe("not_measured");
    expect(report.summary.tier_1.satisfied).toBe(false);
  });
});

describe("the expectations of a probe", () => {
  const judged = (...holds: boolean[]) => {
    const expectations = new ProbeExpectations();
    for (const each of holds) expectations.expect(each, "a", "b", "c");
    return expectations.outcome.status;
  };

  test("the first one decides between fail and partial, and none is no pass", () => {
    expect([judged(true, true), judged(true, false), judged(false, true), judged()]).toEqual([
      "pass",
      "partial",
      "fail",
      "not_measured",
    ]);
  });
});
