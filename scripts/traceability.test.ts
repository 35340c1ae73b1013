import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadFamilies, startTestbed, type Testbed } from "@assay/agents";
import { catalogues, checks } from "@assay/suite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { provesAll } from "../e2e/fixtures/proves-all.fixture.ts";
import { run } from "../packages/cli/src/main.ts";
import { paperScreen } from "../packages/cli/src/screen.fixture.ts";
import { commandsIn, rowsOf } from "./traceability-commands.fixture.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/traceability.md`, "utf8");
const rows = rowsOf(page);

test("every rule that the page names is examined by a check", () => {
  const named = new Set(page.match(/\b(?:V\d\d-)?[A-Z]+-\d{3}\b/g));
  const examined = new Set(checks.map(({ id }) => id));
  expect(named.size).toBeGreaterThan(50);
  expect([...named].filter((id) => !examined.has(id))).toEqual([]);
});

test("what stands in the column of 0.1 is a rule of 0.1", () => {
  const rows = page.split("\n").filter((line) => /^\| \d\.\d /.test(line));
  const ofThen = rows.flatMap((line) => line.split("|")[3]?.match(/\b(?:V\d\d-)?[A-Z]+-\d{3}\b/g) ?? []);
  const inThen = new Set(checks.filter(({ dialects }) => dialects.includes("0.1")).map(({ id }) => id));
  expect(ofThen.length).toBeGreaterThan(20);
  expect(ofThen.filter((id) => !inThen.has(id))).toEqual([]);
});

test("every file that the page names is there", () => {
  const files = page.match(/\b(?:packages|e2e|docs|scripts|sdks)\/[\w./-]+\w\/?/g) ?? [];
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => !existsSync(root + path))).toEqual([]);
});

test("every row names a command", () => {
  expect(rows.length).toBeGreaterThan(90);
  expect(rows.filter((row) => commandsIn(row, "").length === 0)).toEqual([]);
});

test("what the commands name is there: scenarios, rules of that version, flags", async () => {
  const all = rows.flatMap((row) => commandsIn(row, "http://bed"));
  const scenarios = readFileSync(`${root}acceptance.yaml`, "utf8");
  const named = (flag: string, words: readonly string[]) => words.filter((_, index) => words[index - 1] === flag);
  const inVersion = { rules01: "0.1", rules02: "0.2" } as const;
  const help = new Map<string, string>();
  for (const { text, program, words } of all) {
    if (program === "curl") continue;
    const [command = ""] = words;
    if (!help.has(command)) {
      const screen = paperScreen();
      await run([command, command === "test" ? "--help-all" : "--help"], screen).catch(() => {});
      help.set(command, screen.out());
    }
    const flags = words.filter((word) => /^--[a-z]/.test(word));
    expect([text, flags.filter((flag) => !help.get(command)!.includes(flag))]).toEqual([text, []]);
    const ids = named("--only", words);
    const version = inVersion[text.split(" ", 1)[0] as keyof typeof inVersion];
    const isThere = (id: string) =>
      command === "acts"
        ? scenarios.includes(`- id: ${id}\n`)
        : checks.some((check) => check.id === id && (!version || check.dialects.includes(version)));
    expect([text, ids.filter((id) => !isThere(id))]).toEqual([text, []]);
  }
});

// Every tenth row; all of them with ASSAY_PROVE=all.
test("the commands can be run", { timeout: 600_000 }, async () => {
  vi.stubEnv("TOKEN", "alice-token");
  const sample = rows.filter((_, index) => provesAll || index % 10 === 0).flatMap((row) => commandsIn(row, bed.url));
  expect(sample.length).toBeGreaterThan(9);
  for (const { text, program, words } of sample) {
    if (program === "curl") continue;
    const here = words.map((word) => (word === "acceptance.yaml" ? `${root}${word}` : word));
    const code = await run(here, paperScreen());
    expect([text, code]).toEqual([text, 0]);
  }
});

let bed: Testbed;
beforeAll(async () => {
  // Commands that leave something behind leave it in the folder they are called in.
  process.chdir(mkdtempSync(join(tmpdir(), "assay-traceability-")));
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0.05 });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  process.chdir(root);
  await bed.close(0);
});

test("the README counts rules, checks, mutants and variants in full hundreds, and none too many", async () => {
  const readme = readFileSync(`${root}README.md`, "utf8");
  const told = [...readme.matchAll(/more than (\d+) (?:rules of A2A 1\.0|of them|test agents|agents)/g)];
  const { mutants, variants } = await loadFamilies();
  const counts = [
    catalogues["1.0"].length,
    checks.filter(({ id }) => catalogues["1.0"].some((rule) => rule.id === id)).length,
    mutants.length,
    variants.length,
  ];
  expect(told.map(([, number]) => Number(number))).toEqual(counts.map((count) => Math.floor(count / 100) * 100));
});
