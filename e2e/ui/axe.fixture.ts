import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** axe finds nothing serious on a page as it is shown at this moment, and nothing of it stands beyond the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  // As the debugger would: the policy of the page lets no other script in.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: examiner } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { target: unknown[] }[] }[] }>;
      };
    };
    // It would fetch style sheets, which the policy of a site refuses.
    const { violations } = await examiner.run({ preload: false });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  expect(found).toEqual([]);
}
