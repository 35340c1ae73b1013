import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { sourcesOf } from "../../../scripts/sources.fixture.ts";
import { cliPage, endings, environment } from "./cli-page.fixture.ts";
import { exitCodes } from "./exit.ts";

test("docs/cli.md says what the commands declare; after a change: npx vitest run packages/cli/src/cli-page.test.ts -u", async () => {
  await expect(cliPage()).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../docs/cli.md"));
});

test("it has every exit code", () => {
  expect(Object.keys(endings).map(Number)).toEqual(Object.values(exitCodes));
});

test("it has every variable of the environment that the command line reads by name", () => {
  const reading = /\benv\["([A-Z_]+)"\]|\bproxy\("([A-Z_]+)"\)|env:(ASSAY_[A-Z_]+)/g;
  const read = [import.meta.dirname, resolve(import.meta.dirname, "../../library/src")]
    .flatMap(sourcesOf)
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(reading)])
    .flatMap(([, ...names]) => names.filter((name) => name !== undefined));
  expect(new Set(read)).toEqual(new Set(Object.keys(environment)));
});
