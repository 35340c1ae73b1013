import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { realGateways } from "./real-gateways.fixture.ts";

test("docs/gateways.md lists the real gateways with their faults and settings", () => {
  const code = (texts: readonly string[], between: string): string => texts.map((text) => `\`${text}\``).join(between);
  const page = readFileSync("docs/gateways.md", "utf8");
  for (const [name, { breaks, settings }] of Object.entries(realGateways))
    expect(page).toContain(`| ${name} | ${code(breaks, ", ") || "nothing"} | ${code(settings, " ")} |\n`);
});
