import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const config = readFileSync("vitest.config.ts", "utf8");
const numberIn = (digits: string): number => Number(digits.replaceAll("_", ""));
const limitOf = (pattern: RegExp): number => numberIn(pattern.exec(config)![1]!);
const ofTests = limitOf(/testTimeout: ([\d_]+)/);
const ofPolls = limitOf(/poll: \{ timeout: ([\d_]+)/);

/** The option of a test or a group, behind its title. */
const option = /["`]\)?,\s*\{\s*timeout: ([\d_]+),?\s*\},\s*(?:async\b|\()/g;
/** The last argument of a test or a hook that ends on a line of its own. */
const argument =
  /^( *)(?:test|it|(?:before|after)(?:All|Each))\b.*(?<!;)\n(?:(?!\1[}\])]*\)?;).*\n)*?(?:\1 {2}([\d_]+),\n\1\);|\1\}, ([\d_]+)\);)/gm;
/** The limit of a wait for an event, in place or in a constant for several. */
const poll =
  /(?:\.poll|\bvi\.wait(?:For|Until))\([^;]*?(?:timeout: |, )([\d_]+)\b|\bpatience = \{ timeout: ([\d_]+)[, ]/g;

const shortIn = (text: string, pattern: RegExp, least: number): number[] =>
  [...text.matchAll(pattern)]
    .map((found) => numberIn(found.slice(1).findLast((each) => each?.trim())!))
    .filter((ms) => ms < least);

const shortTimeouts = (text: string): number[] => [
  // The usual limit needs no words.
  ...shortIn(text, option, ofTests + 1),
  ...shortIn(text, argument, ofTests + 1),
  ...shortIn(text, poll, ofPolls),
];

test.each([
  ['test("x", { timeout: 60_000 }, async () => {});', [60_000]],
  ['test("x", {\n  timeout: 30_000,\n}, () => {});', [30_000]],
  ['test("x", { timeout: 600_000 }, async () => {});', []],
  ['  test.each(cases)(\n    "%s",\n    (_, run) => run(),\n    60_000,\n  );', [60_000]],
  ['test("x", async () => {\n  await wait();\n}, 45_000);', [45_000]],
  ["beforeAll(async () => {\n  await start();\n}, 20_000);", [20_000]],
  ['test("x", () => {\n  setInterval(() => {\n    act();\n  }, 50);\n});\n', []],
  ['test("x", () => {});\nsetInterval(() => {\n  act();\n}, 50);', []],
  ["await expect.poll(() => list.length, { timeout: 60_000 }).toBe(1);", [60_000]],
  ["await vi.waitFor(() => expect(list).toEqual([1]), 5_000);", [5_000]],
  ["const patience = { timeout: 1_000 };", [1_000]],
  ["await expect.poll(() => list.length, { timeout: 250_000 }).toBe(1);", []],
])("%j has the short timeouts %j", (text, expected) => {
  expect(shortTimeouts(text)).toEqual(expected);
});

test("no test fails because the machine is slow: none has less time than the usual timeout", () => {
  const found = ["e2e", "packages", "scripts"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
        `${folder}/${file}`.replaceAll("\\", "/"),
      ),
    )
    .filter((file) => /\.(?:test|fixture)\.ts$/.test(file) && !/node_modules|\/dist\/|test-timeouts/.test(file))
    .filter((file) => shortTimeouts(readFileSync(file, "utf8")).length > 0);
  expect(found).toEqual([]);
});
