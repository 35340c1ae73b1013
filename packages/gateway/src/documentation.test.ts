import { readFileSync } from "node:fs";
import { ruleOf } from "@assay/suite";
import { expect, test } from "vitest";
import { knownGateways } from "./known-gateways.ts";
import { properties } from "./properties/index.ts";

const page = readFileSync(new URL("../../../docs/gateways.md", import.meta.url), "utf8");

/** Returns the rows of the table with this head, without the head. */
function rowsBelow(head: string): string[] {
  const lines = page.slice(page.indexOf(head)).split("\n");
  return lines.slice(2, lines.indexOf(""));
}

test("docs/gateways.md lists every property", () => {
  expect(rowsBelow("| Property | Meaning | If it is broken |")).toEqual(
    properties.map(
      ({ id, title, breaks, heavy, older }) =>
        `| \`${id}\`${heavy ? " (full)" : older ? " (also 0.3)" : ""} | ${title} | ${breaks} |`,
    ),
  );
});

test("docs/gateways.md lists every known gateway with its settings", () => {
  expect(rowsBelow("| Gateway | Property | Setting | Repairs it |")).toEqual(
    knownGateways.flatMap(({ name, settings, repairs }) =>
      Object.entries(settings).map(
        ([id, setting]) => `| ${name} | \`${id}\` | \`${setting}\` | ${repairs.includes(id) ? "yes" : "not tested"} |`,
      ),
    ),
  );
});

test("every setting is for a property", () => {
  const ids = properties.map(({ id }) => id);
  const settings = knownGateways.flatMap((gateway) => Object.keys(gateway.settings));
  expect(settings.filter((setting) => !ids.some((id) => id.startsWith(setting)))).toEqual([]);
});

test("every cited rule exists", () => {
  const cited = properties.flatMap(({ rule }) => rule ?? []);
  expect(cited.filter((rule) => !ruleOf(rule))).toEqual([]);
});
