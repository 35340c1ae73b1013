import { expect, test } from "vitest";
import { committedColumn, committedRows, settingsText } from "./gateway-table.fixture.ts";
import { type GatewayName, realGateways } from "./real-gateways.fixture.ts";

test.each(Object.keys(realGateways) as GatewayName[])("docs/gateways.md has the marks and settings of %s", (name) => {
  const marks = new Set(Object.values(committedColumn(name)).flatMap((cell) => cell.split(" → ")));
  expect(["✓", "~", "✗", "–"]).toEqual(expect.arrayContaining([...marks]));
  expect(marks.size).toBeGreaterThan(0);
  expect(committedRows()).toContainEqual([name, settingsText(name)]);
});
