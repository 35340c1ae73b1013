import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunFolder, recordRun } from "@assay/library/runs";
import type { RunEvent } from "@assay/suite/report";
import { foldRun } from "@assay/suite/report";
import { expect, test } from "vitest";
import { basics, finished, found, jsonRpc, planned, result, started, weatherRun } from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { compareRuns } from "./diff.ts";
import { listRuns } from "./runs.ts";

const calm: RunEvent[] = [started, found, planned, ...basics, result("LIST-003", { interface: jsonRpc }), finished];

function folderOf(...runs: (readonly RunEvent[])[]): RunFolder {
  const folder = new RunFolder(join(mkdtempSync(join(tmpdir(), "assay-diff-")), ".assay"));
  folder.prepare();
  for (const [index, events] of runs.entries()) {
    const record = recordRun(folder.eventsOf(folder.nameAt(new Date(`2026-11-1${index}T08:00:00Z`))));
    for (const event of events) record.add(event);
    record.close();
  }
  return folder;
}

test("a broken rule is listed and fails the command", async () => {
  const screen = paperScreen();
  expect(await compareRuns("last~1", "last", {}, screen, folderOf(calm, weatherRun))).toBe(1);
  expect(screen.out()).toMatch(/^2 new failures\nbefore {2}\S+ conformant.*\nafter {3}\S+ not conformant/);
  expect(screen.out()).toMatch(
    /broken +1 {3}fail; they passed before\n {2}LIST-003 {2}JSON-RPC {3}nextPageToken is missing on the last page/,
  );
});

test("a failure of a rule that was not examined before fails the command, too", async () => {
  const unexamined = result("LIST-003", { interface: jsonRpc, verdict: "not-examined", unexamined: "depth" });
  const before = weatherRun.map((event) =>
    event.event === "check-finished" && event.result.test === "LIST-003" ? unexamined : event,
  );
  const screen = paperScreen();
  expect(await compareRuns("last~1", "last", {}, screen, folderOf(before, weatherRun))).toBe(1);
  expect(screen.out()).toMatch(/^1 new failure\n/);
  expect(screen.out()).toMatch(/found +1 {3}fail; they were not examined before\n {2}LIST-003/);
});

test("what was fixed does not", async () => {
  const screen = paperScreen();
  expect(await compareRuns("last~1", "last", {}, screen, folderOf(weatherRun, calm))).toBe(0);
  expect(screen.out()).toMatch(/fixed +1\n {2}LIST-003/);
});

test("a report that was written as JSON can be compared, too", async () => {
  const folder = folderOf(calm);
  const file = join(folder.path, "report.json");
  writeFileSync(file, JSON.stringify(foldRun(weatherRun), null, 2));
  const screen = paperScreen();
  expect(await compareRuns(file, "last", { json: true }, screen, folder)).toBe(0);
  expect(JSON.parse(screen.out())).toMatchObject({ regressed: false, after: { outcome: expect.any(String) } });
  const page = paperScreen();
  await compareRuns(file, "last", { markdown: true }, page, folder);
  expect(page.out()).toMatch(/^### 1 failure fixed, none new\n/);
});

test("a run that is not there is wrong usage, and says what there is", async () => {
  await expect(compareRuns("last~1", "last", {}, paperScreen(), folderOf(calm))).rejects.toThrow(
    "last~1 does not exist",
  );
  await expect(
    compareRuns("last", "last", { json: true, markdown: true }, paperScreen(), folderOf(calm)),
  ).rejects.toThrow("cannot be combined");
});

test("the runs that are kept are listed, the newest first, one that cannot be read among them", async () => {
  const folder = folderOf(calm, weatherRun);
  writeFileSync(folder.eventsOf("2026-11-12T08-00-00"), "oops\n");
  const screen = paperScreen();
  expect(await listRuns({}, screen, folder)).toBe(0);
  const [broken, newest, oldest] = screen.out().split("\n");
  expect(broken).toContain("cannot be read");
  expect(newest).toMatch(/^2026-11-11T08-00-00 +last~1 +not conformant .*2 rules broken .*Weather Agent/);
  expect(oldest).toContain("last~2");
  const json = paperScreen();
  await listRuns({ json: true }, json, folder);
  expect(JSON.parse(json.out())).toHaveLength(3);
});

test("where there are none, it is said how to get one", async () => {
  const screen = paperScreen();
  await listRuns({}, screen, folderOf());
  expect(screen.out()).toContain("Run assay test <url> first");
});

test("a run whose recording is gone is known from the history: listed, compared, its rules followed", async () => {
  const folder = folderOf(calm, weatherRun);
  await listRuns({}, paperScreen(), folder);
  rmSync(folder.eventsOf("2026-11-10T08-00-00"));
  const screen = paperScreen();
  await listRuns({}, screen, folder);
  expect(screen.out().split("\n").filter(Boolean)).toEqual([
    expect.stringMatching(/^2026-11-11T08-00-00 +last +not conformant/),
    expect.stringMatching(/^2026-11-10T08-00-00 {2,}conformant/),
  ]);
  expect(await compareRuns("2026-11-10", "last", {}, paperScreen(), folder)).toBe(1);
  const rule = paperScreen();
  await listRuns({ rule: "LIST-003" }, rule, folder);
  expect(rule.out().split("\n").filter(Boolean)).toEqual([
    expect.stringMatching(/^2026-11-11T08-00-00 +1\.0 JSONRPC fail/),
    expect.stringMatching(/^2026-11-10T08-00-00 +1\.0 JSONRPC pass/),
  ]);
});

test("a run that was cut off is in the history with all it had", async () => {
  const folder = folderOf(weatherRun.slice(0, -1));
  const screen = paperScreen();
  await listRuns({ json: true }, screen, folder);
  const { summary } = foldRun(weatherRun);
  expect(JSON.parse(screen.out())).toMatchObject([{ ending: "cut-off", summary: { failed: summary.failed } }]);
});

test("a history that cannot be opened is wrong usage where it was asked for", async () => {
  await expect(listRuns({ history: "nowhere" }, paperScreen(), folderOf(calm))).rejects.toThrow(
    "--history: A database address is",
  );
});
