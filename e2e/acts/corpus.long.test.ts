import { startTestbed, type Testbed } from "@assay/agents";
import {
  type ActsReport,
  actsJson,
  outcomesOf,
  type RunName,
  readCorpus,
  reportOf,
  runCorpus,
  Table,
} from "@assay/scenarios";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { corpus, hasCorpusFor } from "./corpus.fixture.ts";

const isThere = hasCorpusFor("the corpus on the test bed");
/** Who names a corpus in CI means it. */
const isPromised = process.env["CI"] === "true" && process.env["ASSAY_CORPUS"] !== undefined;

testIf(isPromised)("the corpus that ASSAY_CORPUS names is there", async () => {
  expect(isThere, `ASSAY_CORPUS names ${corpus}, and there is nothing`).toBe(true);
});

/** The provably defective tests that a conformant agent cannot pass; docs/acts.md says why. */
const defective = ["CLIENT-PARSE-006", "CORE-CAP-001", "CORE-ERR-007", "PUSH-CFG-004", "REST-PD-001", "SEC-AUTH-006"];

describe.runIf(isThere)("the corpus on the test bed with the profile acts", () => {
  const beds: Partial<Record<RunName, Testbed>> = {};
  let report: ActsReport;

  beforeAll(async () => {
    const bed = (run: RunName): Promise<Testbed> =>
      startTestbed({
        host: "127.0.0.1",
        port: 0,
        version: "0.0.0-e2e",
        profile: { profile: "acts", actsAuth: run === "auth", actsReduced: run === "reduced" },
      });
    const bearer = (token: string) => [["Authorization", `Bearer ${token}`]] as const;
    const table = new Table(
      async (path, run) => {
        beds[run] ??= await bed(run);
        return {
          url: `${beds[run].url}/${path ?? "spec"}`,
          run: "acts",
          version: "0.0.0-e2e",
          connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
          headers: bearer("itk-valid-token"),
          principals: { second: { headers: bearer("itk-other-token") } },
        };
      },
      () => {},
    );
    const tested = await runCorpus({
      files: readCorpus([corpus]),
      agents: table.agent,
      given: { insufficientAuthToken: "itk-insufficient-token" },
      // Many of them wait for something, and some have to be there in time.
      concurrency: 8,
    });
    report = reportOf(tested, {
      agentUrl: beds.main!.url,
      agentName: "Spec Agent",
      agentVersion: "1",
      testDate: "2026-11-15T08:14:02.000Z",
      version: "0.0.0-e2e",
      ending: "done",
      durationMs: 1,
      traffic: [],
      exchanges: new Map(),
      notes: await table.close(),
    });
  });
  afterAll(async () => {
    for (const bed of Object.values(beds)) await bed.close(0);
  });

  const idsOf = (...verdicts: string[]): string[] =>
    [...new Set(outcomesOf(report).flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? [id] : [])))].sort();

  test("every one of the 111 tests has a verdict", () => {
    expect(new Set(outcomesOf(report).map(({ id }) => id)).size).toBe(111);
    expect(outcomesOf(report).filter(({ transport }) => transport === "grpc").length).toBeGreaterThan(80);
  });

  test("nothing fails, nothing is skipped, and nothing goes wrong on our side", () => {
    const told = outcomesOf(report)
      .filter(({ verdict }) => ["fail", "skip", "error"].includes(verdict))
      .map(({ row, verdict, reason, failure }) => `${verdict} ${row} ${reason ?? failure?.message}`);
    expect(told).toEqual([]);
  });

  test("those that are defective are reported as such, each with a reason", () => {
    expect(idsOf("defect")).toEqual(defective);
    for (const { verdict, reason } of outcomesOf(report)) if (verdict === "defect") expect(reason).toMatch(/\S/);
  });

  test("what is not written as the grammar says is read by a named rule", () => {
    expect(report.rules).toMatchObject({
      "error-type-as-code": 13,
      "push-operation-names": expect.any(Number),
      "body-beside-status": 2,
      "error-in-expect": 2,
    });
  });

  test.each(["jsonrpc", "rest", "grpc"] as const)("the ACTS report of %s adds up", (transport) => {
    const { summary, suites, transport: named } = JSON.parse(actsJson(report, transport));
    expect(named).toBe(transport);
    expect(summary.total).toBe(summary.passed + summary.failed + summary.skipped + summary.errors);
    expect(suites.flatMap((suite: { tests: unknown[] }) => suite.tests)).toHaveLength(summary.total);
    const { must, should, may } = summary.by_level;
    expect(must.total + should.total + may.total).toBe(summary.total);
  });
});
