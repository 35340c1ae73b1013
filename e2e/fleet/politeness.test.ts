import { openPoliteness } from "@assay/fleet";
import { afterAll, describe, onTestFinished, test } from "vitest";
import { politenessCases } from "../../packages/fleet/src/politeness/politeness.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../stores/postgres.fixture.ts";

describe.runIf(hasPostgres)("in PostgreSQL", () => {
  let postgres: PostgresServer | undefined;
  afterAll(() => postgres?.close());

  test.each(politenessCases.map(({ title, run }) => [title, run] as const))("%s", async (_title, run) => {
    postgres ??= await startPostgres();
    const address = await postgres.newDatabase();
    await run(async (limits, now) => {
      const politeness = await openPoliteness(address, limits, { now });
      onTestFinished(() => politeness.close());
      return politeness;
    });
  });
});
