import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** axe finds nothing serious on a page as it is shown at this moment, and nothing of it stands beyond the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  // As the debugger would: the policy of the page lets no other script in.
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
