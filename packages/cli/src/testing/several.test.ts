import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunFolder } from "@assay/library/runs";
import { loadReporters } from "@assay/reporters";
import type { TestOptions } from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import { expect, test, vi } from "vitest";
import { runTest } from "../actions/test.ts";
import type { TestFlags } from "../commands/test.ts";
import { basics, finished, found, planned, started, weatherRun } from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { gravest } from "./several.ts";

const reporters = await loadReporters();

const faultless = [started, found, planned, ...basics, finished];
const interrupted = [started, { ...finished, ending: "interrupted" } as RunEvent];

/** The command in a folder of its own, with agents that are faultless unless their address says otherwise. */
function lab(assayYaml: string) {
  const home = mkdtempSync(join(tmpdir(), "assay-several-"));
  const config = join(home, "assay.yaml");
  writeFileSync(config, assayYaml);
  const seen: TestOptions[] = [];
  const assay = async (flags: TestFlags = {}, url?: string) => {
    const screen = paperScreen({ isTerminal: false });
    const code = await runTest(url, { config, ...flags }, screen, {
      folder: new RunFolder(join(home, ".assay")),
      reporters,
      async *testAgent(options) {
        seen.push(options);
        // As an agent that was started would be waited for.
        if (options.process) await expect.poll(() => existsSync(join(home, "ready.txt"))).toBe(true);
        yield* options.url.includes("weather") ? weatherRun : options.url.includes("stopped") ? interrupted : faultless;
      },
    });
    return { code, out: screen.out(), err: screen.err() };
  };
  const urls = (): string[] => seen.map(({ url }) => url);
  return { assay, home, seen, urls };
}

const two = `
depth: free
budget: 4
agents:
  - { name: maps, url: "http://a.test/maps", depth: full }
  - { name: weather, url: "http://b.test/weather" }
`;

test("several agents are tested one after the other; what one says wins over what is said of all", async () => {
  const { assay, seen } = lab(two);
  const { code, out } = await assay();
  expect(code).toBe(1);
  expect(seen.map(({ url, depth, budget }) => ({ url, depth, budget }))).toEqual([
    { url: "http://a.test/maps", depth: "full", budget: 4 },
    { url: "http://b.test/weather", depth: "free", budget: 4 },
  ]);
  expect(out.trimEnd().split("\n").slice(-2)).toEqual(["agent maps: exit 0", "agent weather: exit 1"]);
});

test("a login in an address is printed nowhere", async () => {
  const { assay } = lab(two.replace("http://a.test", "http://me:hunter2@a.test"));
  const { out, err } = await assay();
  expect(out + err).not.toContain("hunter2");
  expect(out).toMatch(/^agent maps$/m);
});

test("one of them is chosen by name, or by its address; another address is none of them", async () => {
  const { assay, seen, urls } = lab(two);
  expect((await assay({ agent: ["maps"] })).code).toBe(0);
  await assay({}, "b.test/weather/");
  await assay({}, "http://c.test");
  expect(urls()).toEqual(["http://a.test/maps", "http://b.test/weather/", "http://c.test"]);
  expect(seen.map(({ depth }) => depth)).toEqual(["full", "free", "free"]);
  await expect(assay({ agent: ["map"] })).rejects.toThrow("no such agent. Did you mean maps?");
});

test("each has its own reports, and its own login", async () => {
  vi.stubEnv("TOKEN", "t0ken-of-maps");
  const { assay, home, seen } = lab(
    `${two.trimEnd().replace("depth: full }", "principals: { default: { bearer: env:TOKEN } } }")}\n`,
  );
  await assay({ report: [`junit=${join(home, "out/assay.xml")}`, `badge=${join(home, "out/badge.svg")}`] });
  vi.unstubAllEnvs();
  expect(readdirSync(join(home, "out"))).toEqual([
    "assay.maps.xml",
    "assay.weather.xml",
    "badge.maps.svg",
    "badge.weather.svg",
  ]);
  expect(readFileSync(join(home, "out/assay.maps.xml"), "utf8")).toContain("<testsuites");
  expect(seen.map(({ headers }) => headers?.length)).toEqual([1, 0]);
});

test.each<[string, TestFlags, string]>([
  ["a login", { bearer: "env:HOME" }, "--bearer applies to one agent, but assay.yaml has 2 agents"],
  ["a baseline", { baseline: "known.yaml" }, "--baseline applies to one agent"],
  ["a process", { start: "npm run agent" }, "--start applies to one agent"],
  ["a watch", { watch: true }, "--watch applies to one agent"],
  ["one file of known failures", { baselineUpdate: true }, "needs its own baseline"],
  ["one XML for all", { report: ["junit"] }, "several agents have several reports"],
])("%s is not for several agents", async (_, flags, says) => {
  const { assay, seen } = lab(two);
  await expect(assay(flags)).rejects.toThrow(says);
  expect(seen).toEqual([]);
});

test("a mistake about one keeps no other from its test; an interruption ends them all", async () => {
  const broken = lab(two.replace("depth: full", "baseline: nowhere.yaml"));
  expect(await broken.assay()).toMatchObject({ code: 2, err: expect.stringContaining("nowhere.yaml does not exist") });
  expect(broken.urls()).toEqual(["http://b.test/weather"]);
  const stopped = lab(two.replace("/maps", "/stopped"));
  expect((await stopped.assay()).code).toBe(130);
  expect(stopped.urls()).toEqual(["http://a.test/stopped"]);
});

test.each([
  [[0, 1, 2, 130, 3], 3],
  [[0, 1, 2, 130], 130],
  [[1, 2, 0], 2],
  [[0, 1], 1],
  [[0, 0], 0],
] as const)("of %j the exit code is %i", (codes, code) => {
  expect(gravest(codes)).toBe(code);
});

test("gates of assay.yaml hold, and flags win over them", async () => {
  const { assay } = lab("url: http://a.test\nrequireLevel: full\nminExamined: 100\n");
  const { code, out } = await assay();
  expect(code).toBe(1);
  expect(out.match(/^gate: .*$/gm)).toEqual([expect.stringContaining("--require-level full")]);
  expect((await assay({ requireLevel: "minimal" })).code).toBe(0);
  const weather = lab("url: http://a.test/weather\nfailOn: never\n");
  expect((await weather.assay()).code).toBe(0);
  expect((await weather.assay({ failOn: "must" })).code).toBe(1);
});

test("start of assay.yaml is run in the folder of the file, told, and only for the agent of the file", async () => {
  const url = "http://127.0.0.1:9";
  const { assay, home } = lab(`url: ${url}\nstart: "pwd > name.txt; mv name.txt ready.txt; sleep 30"\n`);
  const { out } = await assay();
  expect(out).toContain("start: pwd > name.txt; mv name.txt ready.txt; sleep 30 (");
  expect(readFileSync(join(home, "ready.txt"), "utf8")).toMatch(/assay-several-/);
  expect((await assay({}, "http://127.0.0.1:10")).out).not.toContain("start: ");
  expect((await assay({ start: false })).out).not.toContain("start: ");
});
