import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** axe finds nothing serious on a page as it is shown at this moment. */
export async function expectAccessible(page: Page): Promise<void> {
  // As the debugger would: the policy of the page lets no other script in.
  const { readFileSync } = await import("node:fs");
  await page.evaluate(readFileSync(script, "utf8"));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { target: unknown[] }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  expect(found).toEqual([]);
}
