import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readDriver } from "@assay/matrix";
import { sdkNames } from "@assay/suite/report";
import { expect, test } from "vitest";
import { sampleMatrix } from "../../../matrix/src/document/sample.fixture.ts";
import { sdkMigrations } from "../sdk-migrations.ts";
import { byFate } from "./client-support.ts";
import { clientsOfMatrix } from "./of-matrix.ts";
import { sdkClients } from "./sdk-clients.ts";

test("the clients are those of the drivers of the SDK matrix", () => {
  const folders = readdirSync("sdks").filter((name) => name !== "assay" && readdirSync("sdks").includes(name));
  const drivers = folders.flatMap((name) => {
    try {
      const { title, version, client } = readDriver(join("sdks", name));
      return client ? [{ name, title, version, versions: Object.keys(client.speaks).toSorted().toReversed() }] : [];
    } catch {
      // A folder without a driver: shared code, frameworks, an SDK for servers alone.
      return [];
    }
  });
  expect(drivers.length).toBeGreaterThan(5);
  expect(sdkClients.map(({ source: _, ...client }) => client)).toEqual(drivers);
});

test("clients without 1.0 break, the others are ready", () => {
  const { breaking, ready } = byFate(sdkClients);
  expect(breaking.map(({ name }) => name)).toEqual(["a2a-go-0.3", "a2a-java-0.3", "a2a-js-0.3", "a2a-python-0.3"]);
  expect(ready.map(({ name }) => name)).toEqual(["a2a-go", "a2a-java", "a2a-js", "a2a-python", "a2a-rust"]);
});

test("a matrix adds the results of each client", () => {
  const clients = clientsOfMatrix(sampleMatrix());
  expect(clients.length).toBeGreaterThan(0);
  expect(clients.map(({ name }) => name)).not.toContain("assay");
  for (const { measured = {} } of clients)
    for (const text of Object.values(measured)) expect(text).toMatch(/^\d+ of \d+ scenarios passed$/);
  expect(clients.some(({ measured }) => Object.keys(measured ?? {}).length > 0)).toBe(true);
});

test("migration notes belong to names that --sdk knows", () => {
  expect(Object.keys(sdkMigrations).filter((name) => !sdkNames.includes(name))).toEqual([]);
});
