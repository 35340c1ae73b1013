import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { tryIsolation } from "../fixtures/isolation.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

// The same as for tasks in memory (e2e/auth/secure.test.ts) and in PostgreSQL (kept-in-postgres.long.test.ts).

const folder = mkdtempSync(join(tmpdir(), "assay-isolation-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a caller cannot reach another caller's tasks, in SQLite", () => {
  tryIsolation(useTestbed({ timeScale: 0.02, store: { address: `sqlite:${join(folder, "tasks.db")}` } }));
});
