import type { ConformanceReport, ConformanceResult, RunEvent } from "@assay/suite/report";
import { foldRun } from "@assay/suite/report";
import { expect } from "vitest";
import { fillHistory } from "./fill.ts";
import type { History } from "./history.ts";

const at = (day: number): string => `2026-11-${String(day).padStart(2, "0")}T08:00:00.000Z`;

const startedOn = (day: number, agentUrl: string): RunEvent => ({
  event: "run-started",
  run: `run-${day}`,
  at: at(day),
  tool: { name: "assay", version: "0.0.0" },
  ruleSet: "1.0.1-r1",
  agentUrl,
  depth: "quick",
  strict: false,
});

const finished = (test: string, verdict: "pass" | "fail"): RunEvent => ({
  event: "check-finished",
  result: {
    test,
    category: "lifecycle",
    status: verdict,
    verdict,
    dialect: "1.0",
    level: "MUST",
    title: test,
    section: "3.1",
    specUrl: "https://example.com",
    evidence: [],
    interface: { url: "http://a.example", dialect: "1.0", binding: "JSONRPC" },
  } as unknown as ConformanceResult,
});

const over = (day: number): RunEvent => ({
  event: "run-finished",
  at: at(day),
  ending: "done",
  duration_ms: 5,
  workingMessages: 1,
});

const long = `http://a.example/${"x".repeat(10_000)}`;

const recordings: Record<string, RunEvent[]> = {
  "run-1": [startedOn(1, long), finished("GET-001", "pass"), over(1)],
  "run-2": [startedOn(2, long), finished("GET-001", "fail"), finished("LIST-001", "pass")],
  "run-3": [startedOn(3, "http://b.example"), finished("GET-001", "pass"), over(3)],
};

const filled = (history: History, runs: Record<string, readonly RunEvent[]>) =>
  fillHistory(history, {
    list: () => Object.keys(runs),
    size: (run) => runs[run]!.length,
    read: (run) => runs[run],
  });

const namesOf = (runs: readonly { readonly run: string }[]): string[] => runs.map(({ run }) => run);

/** Tests a history, whatever its database. It must be empty at first. */
export async function tryHistory(history: History): Promise<void> {
  await filled(history, recordings);
  expect(namesOf(await history.runs())).toEqual(["run-3", "run-2", "run-1"]);
  expect(namesOf(await history.runs({ agentUrl: long, limit: 1 }))).toEqual(["run-2"]);
  expect(namesOf(await history.runs({ before: Date.parse(at(2)) }))).toEqual(["run-1"]);

  // A run that was cut off is stored with what it has. If it continues, it is read again; unchanged runs are not.
  const [cutOff] = await history.runs({ agentUrl: long });
  expect(cutOff).toMatchObject({ ending: "cut-off", summary: { failed: 1, passed: 1 }, answer: "cut off" });
  await filled(history, { "run-2": [...recordings["run-2"]!, over(2)] });
  expect(await history.runs({ agentUrl: long })).toMatchObject([{ ending: "done" }, { run: "run-1" }]);

  const verdicts = (await history.rule("GET-001")).map(({ run, verdicts: [first] }) => [run.run, first?.verdict]);
  expect(verdicts).toEqual([
    ["run-3", "pass"],
    ["run-2", "fail"],
    ["run-1", "pass"],
  ]);
  expect(namesOf((await history.rule("LIST-001", { agentUrl: long })).map(({ run }) => run))).toEqual(["run-2"]);

  const report: ConformanceReport = foldRun(recordings["run-1"]!);
  expect([await history.report("run-1"), await history.report("nothing")]).toEqual([report, undefined]);
}
