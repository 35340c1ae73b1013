import { openLedger, openPoliteness } from "@assay/fleet";
import { openHistory } from "@assay/history";
import { type Database, migrate, openDatabase } from "@assay/storage";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import { notingStatements, tryForeignTasks } from "../../packages/agents/src/engine/foreign-tasks.fixture.ts";
import { loginCases } from "../../packages/agents/src/identity/oidc/logins.fixture.ts";
import { deadLetterCases } from "../../packages/agents/src/store/dead-letters.fixture.ts";
import { StoredDeadLetters } from "../../packages/agents/src/store/sql/dead-letters.ts";
import { taskMigrations } from "../../packages/agents/src/store/sql/schema.ts";
import { StoredLogins } from "../../packages/agents/src/store/sql/stored-logins.ts";
import { tryLedger } from "../../packages/fleet/src/ledger/ledger.fixture.ts";
import { politenessCases } from "../../packages/fleet/src/politeness/politeness.fixture.ts";
import { tryHistory } from "../../packages/history/src/history.fixture.ts";
import { tryIsolation } from "../fixtures/isolation.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";

describe.runIf(hasPostgres)("in PostgreSQL", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres();
    database = await openDatabase(await server.newDatabase());
    await migrate(database, "tasks", taskMigrations);
  });
  afterAll(async () => {
    await database?.close();
    await server?.close();
  });

  describe("logins", () => {
    test.each(loginCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
      run(new StoredLogins(database)),
    );
  });

  test("a history: runs, levels and verdicts over time, filled from recordings", async () => {
    const history = await openHistory(await server.newDatabase());
    await tryHistory(history).finally(() => history.close());
  });

  test("the ledger of a fleet: one verdict for an agent in a sweep, the newest of each, evidence for a while", async () => {
    const ledger = await openLedger(await server.newDatabase());
    await tryLedger(ledger).finally(() => ledger.close());
  });

  describe("politeness", () => {
    test.each(politenessCases.map(({ title, run }) => [title, run] as const))("%s", async (_title, run) => {
      const address = await server.newDatabase();
      await run(async (limits, now) => {
        const politeness = await openPoliteness(address, limits, { now });
        onTestFinished(() => politeness.close());
        return politeness;
      });
    });
  });

  test.each(deadLetterCases.map(({ title, run }) => [title, run] as const))(
    "undelivered notifications: %s",
    (_title, run) =>
      run(
        (room) =>
          new StoredDeadLetters(
            database,
            (error) => {
              throw error;
            },
            room,
          ),
      ),
  );

  describe("a caller cannot reach another caller's tasks", () => {
    test("every operation on another caller's task takes the same steps as on a missing one", () =>
      tryForeignTasks(notingStatements(database)));

    tryIsolation(useTestbed(async () => ({ timeScale: 0.02, store: { address: await server.newDatabase() } })));
  });
});
