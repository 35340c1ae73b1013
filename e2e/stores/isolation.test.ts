import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { tryIsolation } from "../isolation.case.ts";
import { useTestbed } from "../testbed.case.ts";

// The same as for tasks in memory (e2e/secure.test.ts) and in PostgreSQL (postgres-store.test.ts).

const folder = mkdtempSync(join(tmpdir(), "assay-isolation-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("two callers of one agent, in SQLite", () => {
  tryIsolation(useTestbed({ timeScale: 0.02, store: { address: `sqlite:${join(folder, "tasks.db")}` } }));
});
