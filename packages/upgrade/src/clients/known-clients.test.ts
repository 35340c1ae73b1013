import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readDriver } from "@assay/matrix";
import type { DialectVersion } from "@assay/protocol";
import { profiles } from "@assay/suite/forecast";
import { sdkNames } from "@assay/suite/report";
import { expect, test } from "vitest";
import { sampleMatrix } from "../../../matrix/src/document/sample.fixture.ts";
import { sdkMigrations } from "../sdk-migrations.ts";
import { byFate, type ClientSupport } from "./client-support.ts";
import { knownClients } from "./known-clients.ts";
import { clientsOfMatrix } from "./of-matrix.ts";

test("every client of the SDK matrix has a profile", () => {
  const versions = readdirSync("sdks").flatMap((name) => {
    if (name === "assay" || !existsSync(join("sdks", name, "driver.yaml"))) return [];
    const { version, client } = readDriver(join("sdks", name));
    return client ? [version] : [];
  });
  expect(versions.length).toBeGreaterThan(5);
  expect(profiles.map(({ client }) => client.version)).toEqual(expect.arrayContaining(versions));
});

test("a client of 1.0 that sends no A2A-Version is not ready for an agent of 1.0", () => {
  expect(profiles.map(({ client }) => client.version)).toContain("1.0.0.Alpha3");
  expect(knownClients.map(({ version }) => version)).not.toContain("1.0.0.Alpha3");
});

test("clients without 1.0 break, the others are ready", () => {
  const { breaking, ready } = byFate(knownClients, "0.3");
  const titles = (clients: typeof breaking) => clients.map(({ title, version }) => `${title} ${version}`);
  expect(titles(breaking)).toEqual(expect.arrayContaining(["CrewAI 1.15.30", "Go SDK 0.3.15", "Java SDK 0.3.3.Final"]));
  expect(titles(ready)).toEqual(expect.arrayContaining(["Go SDK 2.4.0", "LiteLLM 1.106.2", "Rust SDK 0.4.2"]));
  expect(titles(breaking)).not.toContain("JavaScript SDK 0.2.5");
});

test("a client that never worked with the agent does not break", () => {
  const client = (title: string, ...versions: DialectVersion[]): ClientSupport => ({
    title,
    version: "1",
    versions,
    source: "test",
  });
  const clients = [
    client("old", "0.1"),
    client("early", "0.2"),
    client("usual", "0.3"),
    client("both", "1.0", "0.1"),
    client("new", "1.0"),
  ];
  const titles = (from: DialectVersion): unknown => {
    const { breaking, ready } = byFate(clients, from);
    return [breaking.map(({ title }) => title), ready.map(({ title }) => title)];
  };
  expect(titles("0.1")).toEqual([["old"], ["both", "new"]]);
  expect(titles("0.2")).toEqual([["early"], ["both", "new"]]);
  expect(titles("0.3")).toEqual([["usual"], ["both", "new"]]);
});

test("a matrix adds the results of each client", () => {
  const clients = clientsOfMatrix(sampleMatrix());
  expect(clients.length).toBeGreaterThan(0);
  expect(clients.map(({ title }) => title)).not.toContain("Assay");
  for (const { measured = {} } of clients)
    for (const text of Object.values(measured)) expect(text).toMatch(/^\d+ of \d+ scenarios passed$/);
  expect(clients.some(({ measured }) => Object.keys(measured ?? {}).length > 0)).toBe(true);
});

test("migration notes belong to names that --sdk knows", () => {
  expect(Object.keys(sdkMigrations).filter((name) => !sdkNames.includes(name))).toEqual([]);
});
