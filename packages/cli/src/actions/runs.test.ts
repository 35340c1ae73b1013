import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@assay/fleet";
import { foldRun, type RunEvent } from "@assay/suite/report";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const home = process.cwd();
let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "assay-runs-"));
  process.chdir(place);
  mkdirSync(".assay/runs", { recursive: true });
});
afterEach(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

async function assay(...args: string[]) {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

const at = "2026-11-17T08:00:00.000Z";
const tool = { name: "assay", version: "0.0.0" } as const;
const started = { event: "run-started", run: "r", tool, ruleSet: "1.0.1-r1", depth: "card", strict: false } as const;
const whole = { ...started, at, agentUrl: "http://a.example" } as const;
const finished = { event: "run-finished", at, ending: "done", duration_ms: 5, workingMessages: 0 } as const;

const recorded = (name: string, ...events: readonly object[]) =>
  writeFileSync(`.assay/runs/${name}.ndjson`, events.map((event) => `${JSON.stringify(event)}\n`).join(""));

test("assay runs lists all other runs when one file is damaged", async () => {
  recorded("2026-11-17T08-00-01", { ...started, agentUrl: "http://a.example" }, finished);
  recorded("2026-11-17T08-00-02", { ...started, at }, finished);
  recorded("2026-11-17T08-00-03", whole, { event: "check-finished" }, finished);
  recorded("2026-11-17T08-00-04", whole, finished);
  const { code, out, err } = await assay("runs");
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n").filter(Boolean)).toEqual([
    expect.stringMatching(/^2026-11-17T08-00-04 .*http:\/\/a\.example$/),
    expect.stringMatching(/^2026-11-17T08-00-03 .*cannot be read: the file is damaged/),
    expect.stringMatching(/^2026-11-17T08-00-02 .*cannot be read: .*has no address \(agentUrl\)/),
    expect.stringMatching(/^2026-11-17T08-00-01 .*cannot be read: .*has no date \(at\)/),
  ]);
  const told = await assay("report", "2026-11-17T08-00-01");
  expect([told.code, told.err]).toEqual([2, expect.stringContaining("run-started has no date (at)")]);
});

test.each([
  ["beside the recordings", ".assay/history.db", []],
  ["that is named", "fleet.db", ["--history", "sqlite:fleet.db"]],
])("assay report tells a run of a fleet from the history %s", async (_where, file, flags) => {
  const name = "sweep-20261117-080000-a1b2c3-0f1e2d3c4b5a6978";
  const exchange = {
    ...{
      event: "exchange",
      id: "1",
      entry: { startedDateTime: at, time: 1, request: { url: "http://a.example/card", headers: [] } },
    },
  } as unknown as RunEvent;
  const report = { ...foldRun([{ ...whole, run: name }, finished]), exchanges: [exchange] };
  const ledger = await openLedger(`sqlite:${file}`);
  await ledger.begin({ sweep: "sweep-1", fleet: "bed", startedAt: at, agents: 1 });
  const reason = { code: "conformant", message: "m", remedy: "r" };
  const verdict = { sweep: "sweep-1", agent: "a", url: "http://a.example", labels: [], class: "working" } as const;
  const by = { run: name, attempts: 1, at, duration_ms: 5, worker: "w" };
  await ledger.settle({ ...verdict, reason, ...by }, report as never);
  await ledger.close();
  const shown = await assay("report", name, ...flags);
  expect([shown.code, shown.out]).toEqual([
    0,
    expect.stringMatching(/^sweep-20261117.*http:\/\/a\.example\n[\s\S]*examined 0 of 0/),
  ]);
  const json = await assay("report", name, ...flags, "--report", "json");
  expect(JSON.parse(json.out)).toMatchObject({ run: name, agentUrl: "http://a.example" });
  const har = await assay("report", name, ...flags, "--report", "har");
  expect([har.code, har.err]).toEqual([2, expect.stringContaining("har needs the recording of this run")]);
  expect((await assay("report", "sweep-unknown", ...flags)).code).toBe(2);
});
