import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@assay/fleet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenReport, conformantReport } from "../../../fleet/src/hallmark/report.fixture.ts";
import { verdictsBefore, verdictsNow } from "../../../fleet/src/site/fleet.fixture.ts";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const home = process.cwd();
const sign = ["--hallmark-key", "@registry.pem", "--issuer", "Registry", "--valid-days", "36500"];

async function assay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen();
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "assay-fleet-report-")));
  mkdirSync(".assay");
  const ledger = await openLedger("sqlite:.assay/history.db");
  const reports = { "run-good": conformantReport, "run-broken": brokenReport };
  for (const [sweep, day, verdicts] of [
    ["s1", "15", verdictsBefore],
    ["s2", "16", verdictsNow],
  ] as const) {
    await ledger.begin({
      sweep,
      fleet: "registry",
      startedAt: `2026-11-${day}T02:00:00.000Z`,
      agents: verdicts.length,
    });
    for (const verdict of verdicts) {
      const named = verdict.run as keyof typeof reports | undefined;
      const id = `${sweep}-${verdict.agent}`;
      await ledger.settle(named ? { ...verdict, run: id } : verdict, named && { ...reports[named], run: id });
    }
    await ledger.end(sweep, `2026-11-${day}T02:10:00.000Z`);
  }
  await ledger.close();
  await assay("hallmark", "keygen", "registry");
});
afterAll(() => process.chdir(home));

test("tells what a sweep found", async () => {
  const { code, out } = await assay("fleet", "report");
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "registry: 3 of 6 agents work without a broken rule
    swept 2026-11-16 02:00 UTC, 6 agents; 2 rules examined of each agent that could be

           3  working
           1  works, rules broken
           1  unreachable
           1  opted out

    Since 2026-11-15
      regressed  dead  working (partial) → unreachable
      regressed  faulty  working (partial) → works, rules broken (minimal)
      recovered  risen  unreachable → working (full)
      level fell good  working (full) → working (partial)
      changed    shy  working (partial) → opted out
      new        newcomer  working (partial)
      gone       lost  working (partial)

    Most common failures
           1  ERR-020  the title of ERR-020

    Why the other agents do not count as working
           1  unreachable (refused): Start it.

    By SDK
           2  a2a-python, 1 working
    "
  `);
});

test("writes what was asked for, and a site whose earlier files are taken away", async () => {
  const files = [
    "--report",
    "json=out/fleet.json",
    "--report",
    "markdown=out/fleet.md",
    "--report",
    "html=out/fleet.html",
  ];
  const { code } = await assay("fleet", "report", ...files, "--out", "public", ...sign);
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync("out/fleet.json", "utf8"))).toMatchObject({ version: 1, fleet: "registry" });
  expect(readdirSync("public")).toEqual(["agents", "badges", "hallmarks", "index.html", "viewer.css", "viewer.js"]);
  const jws = readdirSync("public/hallmarks").find((file) => file.endsWith(".jws"))!;
  const beside = [
    "--jwks",
    "public/hallmarks/keys.jwks.json",
    "--report",
    `public/hallmarks/${jws.replace("jws", "report.json")}`,
  ];
  expect((await assay("verify", `public/hallmarks/${jws}`, ...beside)).code).toBe(0);

  writeFileSync("public/agents/gone.html", "");
  writeFileSync("public/CNAME", "kept");
  expect((await assay("fleet", "report", "--out", "public")).code).toBe(0);
  expect([existsSync("public/agents/gone.html"), existsSync("public/CNAME")]).toEqual([false, true]);
  expect(readdirSync("public/hallmarks")).toEqual([]);
});

test("a folder that is something else is left alone", async () => {
  mkdirSync("theirs");
  writeFileSync("theirs/index.html", "mine");
  const { code, err } = await assay("fleet", "report", "--out", "theirs");
  expect([code, readFileSync("theirs/index.html", "utf8"), readdirSync("theirs")]).toEqual([2, "mine", ["index.html"]]);
  expect(err).toContain("was not written by Assay");
});

test("says where a fleet is", async () => {
  const { out } = await assay("fleet", "status");
  expect(out.replaceAll(/\d+ (s|min|h|d) ago/g, "«a while» ago")).toMatchInlineSnapshot(`
    "registry: 6 agents
      last sweep s2, ended «a while» ago, took 10 min 0 s
      verdicts from «a while» ago to «a while» ago
           3  working
           1  works, rules broken
           1  unreachable
           1  opted out
    "
  `);
  expect(JSON.parse((await assay("fleet", "status", "--json")).out)).toMatchObject([{ fleet: "registry", agents: 6 }]);
});

test.each([
  [["fleet", "report", "--fleet", "other"], "the fleet other was not swept yet"],
  [["fleet", "report", "--report", "pdf"], 'unknown format "pdf"'],
  [["fleet", "report", "--hallmark-key", "@registry.pem"], "--hallmark-key requires an issuer"],
  [["fleet", "report", "--issuer", "me"], "--issuer requires a key"],
  [["fleet", "report", "--history", "sqlite:gone/missing/history.db"], "--history"],
])("%j is told what is missing", async (args, says) => {
  const { code, err } = await assay(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
