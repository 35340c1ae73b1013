import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { StoreReport } from "../../bench/src/soak/soak-store.ts";

// Runs `npm run prove -- soak` for one second on the store in memory. It must finish without findings.
test("a soak of one second has no findings", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-soak-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const report = join(folder, "soak.json");
  const flags = { minutes: 0.015, streams: 10, subscribers: 5, rate: 10, stores: "memory", abuse: 0, report };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bench/dist/soak.js", ...args], { encoding: "utf8" });
  expect([status, stdout.trim().split("\n").at(-1)], `${stdout}${stderr}`).toEqual([0, "1 passed, 0 failed"]);
  const { stores } = JSON.parse(readFileSync(report, "utf8")) as { stores: StoreReport[] };
  const [{ streams, fanOut, conversations, breaches }] = stores as [StoreReport];
  expect(breaches).toEqual([]);
  expect(streams.streams).toBeGreaterThanOrEqual(10);
  expect(streams.rejoined).toBeGreaterThanOrEqual(1);
  expect(fanOut.events).toBeGreaterThan(0);
  expect(conversations).toBeGreaterThanOrEqual(5);
});
