import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunFolder } from "@assay/library/runs";
import { expect, test, vi } from "vitest";
import { reportOf, weatherRun } from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { makeReports } from "./report.ts";

const home = mkdtempSync(join(tmpdir(), "assay-merge-"));
const at = (name: string): string => join(home, name);

/** JSON reports of two agents with the same name and the same failures. */
const files = ["http://127.0.0.1:9001", "http://127.0.0.1:9002"].map((agentUrl, index) => {
  writeFileSync(at(`${index}.json`), JSON.stringify({ ...reportOf(weatherRun), agentUrl }));
  return at(`${index}.json`);
});

test("reports of several runs become one file, with the agent in every class, category and fingerprint", async () => {
  const report = [`junit=${at("all.xml")}`, `sarif=${at("all.sarif")}`, `html=${at("all.html")}`];
  expect(await makeReports(files, { report }, paperScreen(), new RunFolder(home))).toBe(0);
  const classes = [...readFileSync(at("all.xml"), "utf8").matchAll(/classname="assay\.([^"]*?)\.JSON-RPC\./g)];
  expect(new Set(classes.map(([, agent]) => agent))).toEqual(
    new Set(["Weather Agent http://127_0_0_1:9001", "Weather Agent http://127_0_0_1:9002"]),
  );
  const { runs } = JSON.parse(readFileSync(at("all.sarif"), "utf8"));
  const ids = runs.map(({ automationDetails }: { automationDetails: { id: string } }) => automationDetails.id);
  expect(ids).toEqual(
    [9001, 9002].map((port) => expect.stringMatching(new RegExp(`^assay/weather-agent-http-127-0-0-1-${port}-`))),
  );
  const fingerprints = runs.flatMap(({ results }: { results: { partialFingerprints: object }[] }) =>
    results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints)),
  );
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
  expect(readFileSync(at("all.html"), "utf8")).toContain("/api/runs/run-2");
});

test("annotations of several runs name their agents, and the job summary has all runs", async () => {
  const summary = at("summary.md");
  vi.stubEnv("GITHUB_STEP_SUMMARY", summary);
  try {
    const screen = paperScreen();
    expect(await makeReports(files, { report: ["github"] }, screen, new RunFolder(home))).toBe(0);
    const titles = [...screen.out().matchAll(/^::notice title=(.*?)::/gm)].map(([, title]) => title);
    expect(titles).toEqual([9001, 9002].map((port) => expect.stringContaining(`127.0.0.1%3A${port}`)));
    for (const port of [9001, 9002]) expect(readFileSync(summary, "utf8")).toContain(`127.0.0.1:${port}`);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("shards of one agent have the same names in any order", async () => {
  const shards = ["ERR-020", "LIST-003"].map((rule) => {
    const events = weatherRun.filter((each) => each.event !== "check-finished" || each.result.test === rule);
    writeFileSync(at(`${rule}.json`), JSON.stringify(reportOf(events)));
    return at(`${rule}.json`);
  });
  const printsOf = async (runs: readonly string[]): Promise<string[]> => {
    await makeReports(runs, { report: [`sarif=${at("shards.sarif")}`] }, paperScreen(), new RunFolder(home));
    const texts = readFileSync(at("shards.sarif"), "utf8").matchAll(/"(?:assayFinding\/v1|id)": "(.*?)"/g);
    return [...texts].map(([, text]) => text!).sort();
  };
  const prints = await printsOf(shards);
  expect(prints).toEqual(await printsOf(shards.toReversed()));
  expect(prints.filter((each) => each.startsWith("assay/weather-agent"))).toHaveLength(2);
});

test("several runs need a format that can be merged", async () => {
  const make = (report?: string[]) => makeReports(files, { ...(report && { report }) }, paperScreen());
  await expect(make()).rejects.toThrow("Several runs can only be merged into reports.");
  await expect(make(["badge=a.svg"])).rejects.toThrow("--report badge is for one run, not for several");
});
