import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { tryLedger } from "./ledger.fixture.ts";
import { openLedger } from "./ledger.ts";

test("a ledger in SQLite: one verdict for an agent in a sweep, the newest of each, evidence for a while", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-ledger-"));
  const ledger = await openLedger(`sqlite:${join(folder, "history.db")}`);
  onTestFinished(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  });
  await tryLedger(ledger);
});
