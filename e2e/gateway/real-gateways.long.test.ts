import { describe, expect, test } from "vitest";
import { knownGateways } from "../../packages/gateway/src/known-gateways.ts";
import { examinedThrough } from "./gateway-run.fixture.ts";
import { columnOf, committedColumn, type Measured, markOf, writeTable } from "./gateway-table.fixture.ts";
import { type GatewayName, hasGateway, realGateways, startGateway } from "./real-gateways.fixture.ts";
import { repairs } from "./repairs.fixture.ts";

const names = Object.keys(realGateways) as GatewayName[];
/** Set by `npm run generate -- gateways`. */
const writes = process.env["ASSAY_WRITE_TABLE"] !== undefined;

describe("real gateways", { shuffle: false }, () => {
  const measured = new Map<GatewayName, Measured>();

  // Depth full includes 70 s of silence on each binding.
  describe.concurrent.each(names)("%s", (name) => {
    test.skipIf(!hasGateway(name))("is recognised, and does what docs/gateways.md says", async ({ expect }) => {
      const examined = (lines: string) => examinedThrough((port) => startGateway(name, port, lines), { depth: "full" });
      const { settings } = realGateways[name];
      const [byDefault, withSettings = byDefault] = await Promise.all([
        examined(""),
        ...(settings.length > 0 ? [examined(settings.join("\n"))] : []),
      ]);
      measured.set(name, { byDefault, withSettings });
      for (const { agentName, ending } of [byDefault, withSettings])
        expect({ agentName, ending }).toEqual({ agentName: name, ending: "done" });
      if (!writes) expect(columnOf({ byDefault, withSettings })).toEqual(committedColumn(name));
    });
  });

  test.runIf(writes)("are written to docs/gateways.md", () => {
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
