import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { missingPart } from "./installed.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-driver-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "build/lib"), { recursive: true });
writeFileSync(join(folder, "build/client"), "");

const env = { PATH: dirname(process.execPath) };
const missing = (...command: string[]) => missingPart({ folder, client: { command, speaks: {} } }, env);

test.each<[string, string[], string | undefined]>([
  ["a program that was built", ["build/client"], undefined],
  ["a program that was not", ["build/server"], "build/server"],
  ["a program of the PATH", ["node", "build/client"], undefined],
  ["a program that is not in the PATH", ["no-such-program"], "no-such-program"],
  ["a file of Node", ["{node}", "build/client"], undefined],
  ["a file of Node that was not compiled", ["{node}", "dist/client.js"], "dist/client.js"],
  ["a class path", ["node", "-cp", "build/lib/*:none/*", "assay.Main"], undefined],
  ["a class path without classes", ["node", "-cp", "build/classes:build/lib/*", "assay.Main"], "build/classes"],
])("%s", (_what, command, part) => {
  expect(missing(...command)).toBe(part);
});
