import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadReporters } from "@assay/reporters";
import { foldRun, type RunEvent } from "@assay/suite/report";
import { expect, test } from "vitest";

const reporters = await loadReporters();

const hasChromium = spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

const hostile = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">";

const events: RunEvent[] = [
  {
    event: "run-started",
    run: "r1",
    at: "2026-11-15T08:14:02.000Z",
    tool: { name: "assay", version: "0.1.0" },
    ruleSet: "1.0.1-r1",
    agentUrl: hostile,
    depth: "full",
    strict: false,
  },
  ...["ERR-020", "LIST-003"].map(
    (test): RunEvent => ({
      event: "check-finished",
      result: {
        ...{ test, category: "lifecycle", status: "fail", verdict: "fail", dialect: "1.0", level: "MUST" },
        ...{ title: hostile, section: "5.4", specUrl: "https://a2a-protocol.org/", message: hostile, evidence: [] },
      },
    }),
  ),
];

test.runIf(hasChromium)("a browser runs the one script of a report, and none of an agent", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-page-"));
  const file = join(folder, "report.html");
  writeFileSync(file, reporters.html({ events, report: foldRun(events) }));
  try {
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}`, "--dump-dom"];
    const page = execFileSync("chromium", [...flags, `file://${file}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(page).toContain('aria-live="polite">2 of 2 lines</output>');
    expect(page).not.toMatch(/<title>taken|<img/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
