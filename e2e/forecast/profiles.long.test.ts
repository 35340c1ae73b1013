import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testClient } from "@assay/clients";
import { type ClientProfile, profileOf } from "@assay/suite/forecast";
import type { RunEvent } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { type RealClient, realClients, root, setUp } from "./clients.fixture.ts";

/** Clients that need nothing but npm, for the short form. */
const plain = ["a2a-js-0.2"];

async function measured({ name, version, command }: RealClient): Promise<ClientProfile> {
  const events: RunEvent[] = [];
  const options = { stdin: true, folder: root, env: process.env, timeout: 30_000, profiled: true };
  for await (const event of testClient({ command, run: "profile", version: "0.0.0", ...options })) events.push(event);
  return profileOf(events, { name, version });
}

/** The values without the evidence, whose wording may differ from machine to machine. */
const valuesOf = ({ speaks, notSpoken, unversioned, sends, abilities }: ClientProfile): object => ({
  speaks,
  notSpoken,
  unversioned,
  sends,
  abilities: Object.fromEntries(
    Object.entries(abilities).map(([id, rows]) => [
      id,
      Object.fromEntries(rows.flatMap(({ is, on }) => on.map((place) => [place, is]))),
    ]),
  ),
});

describe("a client that is measured again has the profile of the package", () => {
  test.each(realClients.filter(({ id }) => provesAll || plain.includes(id)))("$id", async (client) => {
    if (!setUp(client)) throw new Error(`${client.id} cannot be set up.`);
    const file = join(root, "packages/suite/profiles", `${client.id}.json`);
    expect(valuesOf(await measured(client))).toEqual(valuesOf(JSON.parse(readFileSync(file, "utf8")) as ClientProfile));
  });
});
