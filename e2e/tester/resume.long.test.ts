import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ConformanceReport, resultsOf } from "@assay/suite/report";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { RunFolder } from "../../packages/library/src/runs/run-folder.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

/** A run that is really cut off, with SIGKILL, goes on where it was. */

const bed = useTestbed({ timeScale: 0.2 });
const bin = resolve("packages/cli/bin/command.js");
const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-resume-"))];
beforeAll(() => process.chdir(place));
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

const some = ["CARD-*", "GET-*", "CANCEL-*", "SUB-*"].flatMap((rules) => ["--only", rules]);
const flags = ["--no-config", "--depth", "full", "--dialect", "1.0", "--binding", "JSONRPC", ...some];

async function assay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(["test", ...args], screen);
  return { code, out: screen.out(), err: screen.err() };
}

const report = async (...args: string[]): Promise<ConformanceReport> =>
  JSON.parse((await assay(...args, ...flags, "--json")).out) as ConformanceReport;

/** By rule and interface, what was said. */
const verdicts = (of: ConformanceReport): Map<string, string> =>
  new Map(
    resultsOf(of).map(({ test: rule, interface: on, verdict }) => [`${rule} ${on?.binding ?? ""}`, verdict] as const),
  );

/** Ends the process once so many rules were examined, and gives what it had written by then. */
async function cutOff(child: ChildProcess, results: number): Promise<string> {
  const folder = new RunFolder();
  const ended = new Promise((done) => child.once("exit", done));
  const written = (): string => {
    const [name] = folder.list();
    return name === undefined ? "" : readFileSync(folder.eventsOf(name), "utf8");
  };
  while (written().split('"event":"check-finished"').length <= results && child.exitCode === null) await delay(20);
  child.kill("SIGKILL");
  await ended;
  return written();
}

test("a run that was cut off goes on with what it had, once, and comes to the same", async () => {
  const url = `${bed.url}/spec`;
  const child = spawn(process.execPath, [bin, "test", url, ...flags], { stdio: "ignore" });
  const before = await cutOff(child, 30);
  expect(before).not.toContain('"event":"run-finished"');
  const [earlier] = new RunFolder().list();

  expect(
    await assay(url, ...flags.filter((flag) => flag !== "full" && flag !== "--depth"), "--depth", "quick", "--resume"),
  ).toMatchObject({
    code: 2,
    err: expect.stringContaining(`--resume ${earlier}: --depth was full, and is quick now`),
  });

  const resumed = await report(url, "--resume");
  const whole = await report(url);
  const kept = resultsOf(resumed).filter(({ from }) => from === earlier);
  expect(kept.length).toBeGreaterThanOrEqual(30);
  expect(resumed.resumes).toMatchObject({ run: earlier, results: kept.length });
  expect(resumed.notes.join("\n")).toContain(`Resumes run ${earlier}, with ${kept.length} results`);
  expect(resumed.ending).toBe("done");
  const [here, there] = [verdicts(resumed), verdicts(whole)];
  expect([...here.keys()].sort()).toEqual([...there.keys()].sort());
  // What a run happens upon, such as two tasks of the same moment, another may miss.
  const other = [...here].filter(([key, verdict]) => there.get(key) !== verdict);
  expect(other.length, JSON.stringify(other)).toBeLessThan(6);
  for (const [key, verdict] of other) expect([verdict, there.get(key)].sort(), key).toEqual(["not-examined", "pass"]);
  expect({ outcome: resumed.outcome, level: resumed.conformanceLevel }).toEqual({
    outcome: whole.outcome,
    level: whole.conformanceLevel,
  });
  expect(resumed.summary.workingMessages).toBeGreaterThan(resumed.resumes!.workingMessages);
  // The evidence of both parts has ids of its own.
  const lines = readFileSync(new RunFolder().eventsOf(new RunFolder().list().at(-2)!), "utf8")
    .trim()
    .split("\n");
  const ids = lines.map((line) => JSON.parse(line) as { event: string; id?: string }).flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);

  // A complete run, another agent, and no interrupted run at all are refused.
  const [last] = new RunFolder().list().slice(-1);
  expect(await assay(`${bed.url}/spec`, ...flags, "--resume", last!)).toMatchObject({
    code: 2,
    err: expect.stringContaining("this run is complete (done)"),
  });
  const [cut] = new RunFolder().list();
  expect(await assay(`${bed.url}/echo`, ...flags, "--resume", cut!)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--resume \S+: that run tested http:\S+\/spec/),
  });
  expect(await assay(`${bed.url}/echo`, ...flags, "--resume")).toMatchObject({
    code: 2,
    err: expect.stringContaining("no interrupted run of"),
  });
});
