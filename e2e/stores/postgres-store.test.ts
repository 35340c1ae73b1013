import { openHistory } from "@assay/history";
import { type Database, migrate, openDatabase } from "@assay/storage";
import { afterAll, beforeAll, describe, test } from "vitest";
import { taskMigrations } from "../../packages/agents/src/store/sql/schema.ts";
import { freshStores } from "../../packages/agents/src/store/sql/sql-store.case.ts";
import { storeCases } from "../../packages/agents/src/store/store.case.ts";
import { tryHistory } from "../../packages/history/src/history.case.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.case.ts";

describe.runIf(hasPostgres)("in PostgreSQL", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres();
    database = await openDatabase(await server.newDatabase());
    await migrate(database, "tasks", taskMigrations);
  }, 30_000);
  afterAll(async () => {
    await database?.close();
    await server?.close();
  });

  test("a history: runs, levels and verdicts over time, filled from recordings", async () => {
    const history = await openHistory(await server.newDatabase());
    await tryHistory(history).finally(() => history.close());
  });

  test.each(storeCases.map(({ title, run }) => [title, run] as const))(
    "%s",
    (_title, run) => run(freshStores(() => database)),
    60_000,
  );
});
