import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, openDatabase } from "@assay/storage";
import { describe, test } from "vitest";
import { MemoryStore } from "../store/memory.ts";
import { taskMigrations } from "../store/sql/schema.ts";
import { notingOperations, notingStatements, tryForeignTasks } from "./foreign-tasks.fixture.ts";

// Compares steps instead of times: the same steps take the same time, as far as it can be measured.
describe("whatever is asked about the task of another takes the steps of one that there is not", () => {
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
