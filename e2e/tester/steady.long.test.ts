import type { ConformanceReport, ConformanceResult } from "@assay/suite/report";
import { afterEach, describe, expect, test } from "vitest";
import { runOn } from "../../bench/src/coverage/run-on.ts";
import { type ForeignAgent, startForeignAgent } from "../fixtures/foreign-agent.fixture.ts";

// Two runs on the same agent come to the same level, and at depth quick they examine the same rules. Faults are found whichever prompt shows them.

let agent: ForeignAgent | undefined;
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

type Setup = Parameters<typeof startForeignAgent>[0];

const resultsOf = ({ categories }: ConformanceReport): ConformanceResult[] => Object.values(categories).flat();

const examined = (report: ConformanceReport): string[] =>
  resultsOf(report)
    .filter(({ verdict }) => verdict === "pass" || verdict === "fail")
    .map(({ test: rule, verdict }) => `${rule} ${verdict}`)
    .toSorted();

const setups: readonly [string, Setup][] = [
  ["slow tasks", { slowMs: 8_000 }],
  ["slow tasks, late at random", { slowMs: 8_000, latencyMs: 15 }],
  ["tasks that are over at once", { slowMs: 0 }],
  ["an agent that accepts malformed messages", { slowMs: 8_000, fault: "lenient" }],
  ["push that is claimed and not served", { slowMs: 8_000, fault: "push-not-served" }],
];

describe.each(setups)("%s", (_, setup) => {
  test("two runs examine the same rules, and come to the same level", async () => {
    agent = await startForeignAgent(setup);
    const [one, other] = [await quickRun(agent), await quickRun(agent)];
    expect(examined(other)).toEqual(examined(one));
    expect(other.conformanceLevel).toBe(one.conformanceLevel);
    for (const { summary } of [one, other])
      expect(summary.workingMessages).toBeLessThanOrEqual(summary.plannedMessages);
  });
});

const quickRun = ({ url }: ForeignAgent): Promise<ConformanceReport> =>
  runOn(url, { depth: "quick", convention: "tck", grace: 5_000 });

test("tasks of 0.5 s, webhooks in time and too late: both runs examine the same rules", async () => {
  const reports: ConformanceReport[] = [];
  // Fifteen answers that are 150 ms late take as long as a busy machine makes them: the task is over by then.
  for (const configsLateMs of [0, 150]) {
    agent = await startForeignAgent({ slowMs: 0, plainMs: 500, configsLateMs });
    reports.push(await runOn(agent.url, { depth: "quick" }));
    await agent.close();
  }
  const [early, late] = reports.map(examined);
  expect(late).toEqual(early);
  // The webhook that comes with a message is never too late.
  const shown = ["PUSH-020", "PUSH-022", "PUSH-023", "PUSH-024", "PUSH-025", "PUSH-027", "PUSH-044", "PUSH-045"];
  expect(early).toEqual(expect.arrayContaining(shown.map((rule) => `${rule} pass`)));
  expect(reports.map(({ conformanceLevel }) => conformanceLevel)).toEqual(["partial", "partial"]);
});

test.each(["push-not-served", undefined] as const)(
  "push that is claimed (%s): tasks of 0.3 s come to the same level as slow ones",
  async (fault) => {
    for (const slowMs of [300, 8_000, 0]) {
      agent = await startForeignAgent({ slowMs, ...(fault && { fault }) });
      const report = await quickRun(agent);
      expect(report.conformanceLevel, `${slowMs} ms`).toBe("partial");
      await agent.close();
    }
  },
);

describe("a fault that only one prompt of the TCK shows is found, although the slow task is over at once", () => {
  test.each([
    ["lists-artifacts", "LIST-019", "fail"],
    ["two-members", "DATA-020", "fail"],
    ["no-completion", "PUSH-044", "warning"],
  ] as const)("%s: %s", async (fault, rule, comesTo) => {
    agent = await startForeignAgent({ fault, slowMs: 0 });
    const report = await runOn(agent.url, {
      depth: "full",
      convention: "tck",
      grace: 2_000,
      only: [rule],
    });
    const [found] = resultsOf(report).filter((result) => result.test === rule);
    expect(found?.warning === undefined ? found?.verdict : "warning").toBe(comesTo);
  });

  test("the same agent without a fault is accused of nothing", async () => {
    agent = await startForeignAgent({ slowMs: 0 });
    const report = await runOn(agent.url, { depth: "full", convention: "tck", grace: 5_000 });
    const failed = resultsOf(report).filter(({ verdict }) => verdict === "fail");
    expect(failed.map(({ test: rule, message }) => `${rule}: ${message}`)).toEqual([]);
    const rules = ["LIST-019", "LIST-020", "DATA-020", "DATA-021", "PUSH-022", "PUSH-044", "PUSH-045"];
    const verdicts = resultsOf(report).filter((result) => rules.includes(result.test));
    expect(verdicts.filter(({ verdict }) => verdict !== "pass").map(({ test: rule }) => rule)).toEqual([]);
  });
});
