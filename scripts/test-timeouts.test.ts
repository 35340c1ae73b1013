import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const usual = Number(/testTimeout: ([\d_]+)/.exec(readFileSync("vitest.config.ts", "utf8"))![1]!.replaceAll("_", ""));

/** The option of a test or a group, behind its title. */
const option = /["`]\)?,\s*\{\s*timeout: ([\d_]+),?\s*\},\s*(?:async\b|\()/g;

const shortTimeouts = (text: string): number[] =>
  [...text.matchAll(option)].map(([, ms]) => Number(ms!.replaceAll("_", ""))).filter((ms) => ms <= usual);

test("a timeout below the usual one is found", () => {
  expect(shortTimeouts('test("x", { timeout: 60_000 }, async () => {});')).toEqual([60_000]);
  expect(shortTimeouts('test("x", {\n  timeout: 30_000,\n}, () => {});')).toEqual([30_000]);
  expect(shortTimeouts('test("x", { timeout: 600_000 }, async () => {});')).toEqual([]);
});

test("no test fails because the machine is slow: none has less time than the usual timeout", () => {
  const found = ["e2e", "packages", "scripts"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
        `${folder}/${file}`.replaceAll("\\", "/"),
      ),
    )
    .filter((file) => file.endsWith(".test.ts") && !/node_modules|\/dist\/|test-timeouts/.test(file))
    .filter((file) => shortTimeouts(readFileSync(file, "utf8")).length > 0);
  expect(found).toEqual([]);
});
