import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { tryHistory } from "./history.fixture.ts";
import { openHistory } from "./history.ts";

test("a history in SQLite: runs, levels and verdicts over time, filled from recordings", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-history-"));
  const history = await openHistory(`sqlite:${join(folder, "history.db")}`);
  onTestFinished(async () => {
    await history.close();
    rmSync(folder, { recursive: true });
  });
  await tryHistory(history);
});
