import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, openDatabase } from "@assay/storage";
import { describe, test } from "vitest";
import { MemoryStore } from "../store/memory.ts";
import { taskMigrations } from "../store/sql/schema.ts";
import { notingOperations, notingStatements, tryForeignTasks } from "./foreign-tasks.fixture.ts";

// Compares steps instead of times: the same steps take the same time, as far as it can be measured.
describe("every operation on another caller's task takes the same steps as on a missing one", () => {
  test("in memory", () => tryForeignTasks(notingOperations(new MemoryStore(Date.now))));

  test("in SQLite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-foreign-"));
    const database = await openDatabase(`sqlite:${join(folder, "tasks.db")}`, { alone: true });
    await migrate(database, "tasks", taskMigrations);
    await tryForeignTasks(notingStatements(database));
    await database.close();
    rmSync(folder, { recursive: true });
  });
});
