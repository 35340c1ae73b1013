import { foldRun, type RunEvent, runHeadline } from "@assay/suite/report";
import { expect, test } from "vitest";
import { ApiError } from "../../server/api-error.ts";
import type { ApiRequest } from "../../server/route.ts";
import { LiveRuns } from "./live-runs.ts";
import { runsRoutes } from "./routes.ts";
import { RunShelf } from "./run-shelf.ts";

const startedOn = (day: number): RunEvent => ({
  event: "run-started",
  run: `run-${day}`,
  at: `2026-11-0${day}T08:00:00.000Z`,
  tool: { name: "assay", version: "0.0.0" },
  ruleSet: "1.0.1-r1",
  agentUrl: "http://127.0.0.1:9999",
  depth: "quick",
  strict: false,
});
const reportOf = (day: number) => foldRun([startedOn(day)]);

/** Run 2 is recorded; the history knows it as well, and two more. */
const shelf = new RunShelf(
  { list: () => ["run-2"], read: (run) => (run === "run-2" ? [startedOn(2)] : undefined) },
  {
    list: async () => [3, 2, 1].map((day) => runHeadline(reportOf(day))),
    report: async (run) => [1, 2, 3].map(reportOf).find((report) => report.run.startsWith(run)),
  },
);

test("runs whose recordings are gone are listed in their place, each run once", async () => {
  expect((await shelf.list()).map(({ run, isReportOnly }) => [run, isReportOnly])).toEqual([
    ["run-3", true],
    ["run-2", undefined],
    ["run-1", true],
  ]);
});

test("a run that only the history knows has its report, and no exchanges", async () => {
  expect(await shelf.open("run-1")).toEqual({ events: [], report: reportOf(1), exchanges: [] });
  expect((await shelf.open("run-2"))?.events).toHaveLength(1);
});

test("the beginning of a name is no name", async () => {
  expect(await shelf.open("run")).toBeUndefined();
});

test("what is made of a recording is not made of nothing", async () => {
  const none = () => Promise.reject(new Error("no test here"));
  const routes = runsRoutes({ test: none, testGateway: none }, shelf, new LiveRuns());
  const { answer } = routes.find(({ path }) => path.endsWith("/reports/:format"))!;
  const asked = (format: string) =>
    answer({ params: { run: "run-1", format }, query: new URLSearchParams() } as unknown as ApiRequest);
  await expect(asked("har")).rejects.toThrow(ApiError);
  await expect(asked("markdown")).resolves.toBeDefined();
});
