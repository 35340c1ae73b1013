import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { provesAll } from "../../../../e2e/fixtures/proves-all.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { playDemo } from "./demo.ts";
import { runTest } from "./test.ts";

const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-demo-"))];
beforeAll(() => process.chdir(place));
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

// The card alone is enough to show this; the installed package runs the whole demo.
test("the demo tests the built-in agent at full depth, finds no broken rule, and leaves a report", async () => {
  const screen = paperScreen();
  const asked: unknown[] = [];
  const code = await playDemo({}, screen, (url, options, on) => {
    asked.push(options);
    return runTest(url, provesAll ? options : { ...options, depth: "card" }, on);
  });
  expect(asked).toEqual([{ depth: "full", config: false }]);
  expect({ code, err: screen.err() }).toEqual({ code: 0, err: "" });
  expect(screen.out()).toMatch(/no rule broken/);
  const [, report] = /^Report {2}(\S+)/m.exec(screen.out()) ?? [];
  expect(readFileSync(report!, "utf8")).toContain("Spec Agent");
});
