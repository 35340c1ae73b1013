import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { createEgressGuard, createHttpClient, discoverCard, readFoundCard } from "@assay/wire";
import { afterAll, describe, expect, test } from "vitest";
import { converse } from "../fixtures/good-client.fixture.ts";
import { sampleOf } from "../fixtures/proves-all.fixture.ts";
import { startFixtures } from "../proof/proving.fixture.ts";
import { variantRows } from "../surroundings/rows.fixture.ts";
import { accusations, callsIn, proxyBefore } from "./proxy.fixture.ts";

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));
const families = await bed.families();
// e2e/surroundings has the others.
const variants = families.variants.filter(({ id }) => !variantRows.some((row) => row.id === id));
const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });

/** The interfaces on the card of an agent, in versions that Assay speaks. */
async function interfacesOf(url: string) {
  const http = createHttpClient({ guard });
  try {
    const { found } = await discoverCard(http, url, []);
    const { interfaces } = await readFoundCard(http, found!, []);
    return interfaces.flatMap(({ binding, dialect }) => (dialect ? [{ binding: binding as Binding, dialect }] : []));
  } finally {
    await http.close();
  }
}

async function accused(id: string, choose: (all: Awaited<ReturnType<typeof interfacesOf>>) => number) {
  const url = `${bed.url}/variants/${id}`;
  const interfaces = await interfacesOf(url);
  const proxy = await proxyBefore(url);
  await converse(proxy.url, interfaces[choose(interfaces)]!);
  const { results } = await proxy.end();
  expect(callsIn(proxy.sights).length).toBeGreaterThan(0);
  return accusations(results).filter((line) => line.includes(" fail: "));
}

// One interface of each in turn.
const trials = sampleOf(
  variants.map(({ id }, index) => ({ id, index })),
  45,
);

describe.concurrent("neither a good client nor an odd agent is accused through the proxy", () => {
  test.each(trials)("$id", async ({ id, index }) => {
    expect(await accused(id, ({ length }) => index % length)).toEqual([]);
  });

  test("an agent without tasks that does not know GetTask, over gRPC", async () => {
    expect(await accused("messages-alone", (all) => all.findIndex(({ binding }) => binding === "GRPC"))).toEqual([]);
  });
});
