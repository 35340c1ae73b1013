import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { faultKind, faultNames } from "./fault-table.ts";

test("docs/faults.md lists every fault of the table, in its words", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../../../docs/faults.md"), "utf8");
  const [, table = ""] = /## Faults[^|]*([\s\S]*?)\n\n(?!\|)/.exec(page) ?? [];
  const rows = faultNames.map((name) => {
    const { default: value, means, operations } = faultKind(name);
    const only = operations ? ` (${operations.join(", ")})` : "";
    return `| \`${name}\` | ${value === undefined ? "" : `\`${value}\` `}| ${means}${only} |`;
  });
  expect(table.split("\n").slice(2)).toEqual(rows);
});
