import { describe, expect, test } from "vitest";
import { knownGateways } from "../../packages/gateway/src/known-gateways.ts";
import { examinedThrough } from "./gateway-run.fixture.ts";
import { columnOf, committedColumn, type Measured, markOf, writeTable } from "./gateway-table.fixture.ts";
import { type GatewayName, hasGateway, realGateways, startGateway } from "./real-gateways.fixture.ts";
import { repairs } from "./repairs.fixture.ts";

const names = Object.keys(realGateways) as GatewayName[];
/** The short form of the proof has some of the gateways, and the table has all. */
const measuresAll = names.every(hasGateway);

describe("real gateways", { shuffle: false }, () => {
  const measured = new Map<GatewayName, Measured>();

  // Depth full includes 70 s of silence on each binding.
  describe.concurrent.each(names)("%s", (name) => {
    const title = "is recognised, and does what docs/gateways.md says";
    test.skipIf(!hasGateway(name))(title, { timeout: 1_200_000 }, async ({ expect }) => {
      const examined = (lines: string) => examinedThrough((port) => startGateway(name, port, lines), { depth: "full" });
      const { settings } = realGateways[name];
      const [byDefault, withSettings = byDefault] = await Promise.all([
        examined(""),
        ...(settings.length > 0 ? [examined(settings.join("\n"))] : []),
      ]);
      for (const { agentName, ending } of [byDefault, withSettings])
        expect({ agentName, ending }).toEqual({ agentName: name, ending: "done" });
      measured.set(name, { byDefault, withSettings });
      const [column, committed] = [columnOf({ byDefault, withSettings }), committedColumn(name)];
      const properties = [...new Set(Object.keys({ ...column, ...committed }))];
      const changed = properties.filter((property) => column[property] !== committed[property]);
      expect(changed.map((property) => `${property}: ${column[property]}, not ${committed[property]}`)).toEqual([]);
    });
  });

  // A changed mark has failed above. The table then shows it, for a review before it is committed.
  test.runIf(measuresAll)("are written to docs/gateways.md", () => {
    expect([...measured.keys()].toSorted()).toEqual(names.toSorted());
    writeTable(new Map([...measured].map(([name, each]) => [name, columnOf(each)])));
  });

  test("settings that Assay calls tested repair a fault, here or in repairs.fixture.ts", () => {
    const claims = [...measured].flatMap(([gateway, { byDefault, withSettings }]) =>
      knownGateways
        .find(({ name }) => name === gateway)!
        .repairs.filter((id) => !(markOf(byDefault, id) === "✗" && markOf(withSettings, id) !== "✗"))
        .map((property) => ({ gateway, property })),
    );
    const planted = repairs.map(({ gateway, property }) => ({ gateway, property }));
    expect(planted).toEqual(expect.arrayContaining(claims));
  });
});
