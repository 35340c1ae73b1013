import { describe, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { hasGateway, startGateway } from "./real-gateways.fixture.ts";
import { repairs } from "./repairs.fixture.ts";

describe.concurrent.each(repairs)(
  "$gateway: $property",
  ({ gateway, property, broken, repaired, depth = "quick" as const }) => {
    test.skipIf(!hasGateway(gateway))("is repaired by the setting", async ({ expect }) => {
      const faults = async (lines: string): Promise<string[]> => {
        const how = { depth, only: [`${property}*`] };
        const odd = await judgedThrough((port) => startGateway(gateway, port, lines), how);
        return odd.filter((line) => line.endsWith(" broken"));
      };
      const [before, after] = await Promise.all([faults(broken), faults(repaired)]);
      expect(before).not.toEqual([]);
      expect(after).toEqual([]);
    });
  },
);
