import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { provesAll } from "../../../../e2e/fixtures/proves-all.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import { playDemo } from "./demo.ts";

const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-demo-"))];
beforeAll(() => process.chdir(place));
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

// One rule is enough to show this; the installed package runs the whole demo.
test("the demo tests a good and a broken agent, leaves the report, and names three commands", async () => {
  const screen = paperScreen();
  // The demo shows its own report, not that of another run, however new.
  mkdirSync(".assay/runs", { recursive: true });
  writeFileSync(".assay/runs/2999-01-01T00-00-00.ndjson", "");
  const code = await playDemo({ open: false }, screen, provesAll ? {} : { only: ["GET-002"] });
  expect({ code, err: screen.err() }).toEqual({ code: 0, err: "" });
  expect(screen.out()).toMatch(/^conformant .*no rule broken.*^not conformant .*1 rule broken.*^Fix first$/ms);
  expect(screen.out()).not.toContain("Not examined");
  const [, report] = /^The full report: (\S+)$/m.exec(screen.out()) ?? [];
  expect(readFileSync(report!, "utf8")).toContain("GET-002.invalid");
  expect(
    screen
      .out()
      .split("Try next\n")[1]!
      .match(/^ {2}npx a2a-assay \w+/gm),
  ).toEqual(["  npx a2a-assay test", "  npx a2a-assay client", "  npx a2a-assay serve"]);
});

test("a demo that misses the broken rule is an internal error", async () => {
  const screen = paperScreen();
  const code = await playDemo({ open: false }, screen, { only: ["CARD-001"] });
  expect([code, screen.out().includes("Try next")]).toEqual([3, false]);
});
